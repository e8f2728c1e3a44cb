# vit-light_100e_cifar10.py with DRLoc.
#
# Data:  python tools/dataset_converters/prepare.py cifar10
# Train: python tools/train.py \
#     configs/mae/vit-light_drloc_100e_cifar10.py
# Published: none.
# Measured: not measured.
_base_ = './vit-light_100e_cifar10.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.11',
        in_channels=192,
        pool='avg2x2',
        hidden_channels=512,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.1),
    ),
)
