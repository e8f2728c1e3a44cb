# vit-light-narrow_10e_cifar10-5k.py with DRLoc.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Train: python tools/train.py \
#     configs/mae/vit-light-narrow_drloc_10e_cifar10-5k.py
# Published: none.
# Measured: not measured.
_base_ = './vit-light-narrow_10e_cifar10-5k.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.5',
        in_channels=96,
        pool=None,
        hidden_channels=128,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.1),
    ),
)
