# swin-4layers_drloc.py with signed offsets.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Train: python tools/train.py configs/evidence/swin-4layers_drloc-signed.py
# Published: none, our own experiment.
# Measured: 46.09 ± 0.70 % top-1 after 1,500 updates (seeds 0-4).
_base_ = './swin-4layers_drloc.py'

model = dict(auxiliary_head=dict(loss=dict(signed=True)))
