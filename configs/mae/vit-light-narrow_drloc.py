# vit-light-narrow.py with DRLoc; nothing else differs.
#
# Data: data/cifar10_photos/{train,test}/<class>/* (README.md)
# Weights: python tools/train.py \
#     configs/mae/mae_vit-light-narrow.py --dataset cifar10-5k
# Train: python tools/train.py configs/mae/vit-light-narrow_drloc.py \
#     --dataset cifar10-5k --weights work_dirs/mae_vit-light-narrow_cifar10-5k
# Published: none.
# Measured: not measured.
_base_ = './vit-light-narrow.py'

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
