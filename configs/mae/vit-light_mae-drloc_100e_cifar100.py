# vit-light_mae_100e_cifar100.py with DRLoc.
#
# Data:  python tools/dataset_converters/prepare.py cifar100
# Needs: as vit-light_mae_100e_cifar100.py
# Train: python tools/train.py \
#     configs/mae/vit-light_mae-drloc_100e_cifar100.py
# Published: none.
# Measured: not measured.
_base_ = './vit-light_mae_100e_cifar100.py'

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
