# vit-4layers_drloc-signed.py asked about a pair, and told another's answer.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Train: python tools/train.py configs/evidence/vit-4layers_drloc-placebo.py
# Published: none, our own experiment.
# Measured: 43.29 ± 0.59 % top-1 after 1,500 updates (seeds 0-4).
_base_ = './vit-4layers_drloc-signed.py'

model = dict(auxiliary_head=dict(loss=dict(type='mmdrloc.DRLocPlaceboLoss')))
