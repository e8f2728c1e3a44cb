# vit-light.py with DRLoc.
# Train: python tools/train.py configs/mae/vit-light_drloc.py \
#      --weights work_dirs/mae_vit-light_cifar10
_base_ = './vit-light.py'

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
