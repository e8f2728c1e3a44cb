# vit-4layers_drloc-signed.py asked about a pair, and told another's answer.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Train: python tools/train.py configs/evidence/vit-4layers_drloc-placebo.py
# Published: none, our own experiment.
# Measured: 43.28 ± 0.68 % top-1 after 1,500 updates (seeds 0-3).
_base_ = './vit-4layers_drloc-signed.py'

model = dict(auxiliary_head=dict(loss=dict(type='mmdrloc.DRLocPlaceboLoss')))
