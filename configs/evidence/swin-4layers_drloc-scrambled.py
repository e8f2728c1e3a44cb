# swin-4layers_drloc-signed.py on a map whose cells have changed places.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Train: python tools/train.py configs/evidence/swin-4layers_drloc-scrambled.py
# Published: none, our own experiment.
# Measured: 45.00 ± 0.66 % top-1 after 1,500 updates (seeds 0-4).
_base_ = './swin-4layers_drloc-signed.py'

model = dict(auxiliary_head=dict(loss=dict(type='mmdrloc.DRLocScrambledLoss')))
