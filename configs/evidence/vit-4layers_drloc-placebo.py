# vit-4layers_drloc-signed.py asked about a pair, and told another's answer.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Train: python tools/train.py configs/evidence/vit-4layers_drloc-placebo.py
# Published: none, our own experiment.
# Measured: not measured.
_base_ = './vit-4layers_drloc-signed.py'

model = dict(auxiliary_head=dict(loss=dict(type='mmdrloc.DRLocPlaceboLoss')))
