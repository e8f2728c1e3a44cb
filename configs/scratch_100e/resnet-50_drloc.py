# resnet-50.py with DRLoc on its last map, 7x7.
# Train: mmdrloc train scratch_100e/resnet-50_drloc
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
