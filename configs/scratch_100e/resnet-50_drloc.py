# resnet-50.py with DRLoc on its last map, 7x7.
# Train: python tools/train.py configs/scratch_100e/resnet-50_drloc.py
# Published: 92.03 top-1 on CIFAR-10, 72.94 top-1 on CIFAR-100
_base_ = './resnet-50.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layer4',
        in_channels=2048,
        init_cfg=None,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.1),
    ),
)
