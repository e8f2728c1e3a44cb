# resnet-50.py with DRLoc on its last map, 7x7.
# Train: python tools/train.py configs/official/resnet-50_drloc.py
_base_ = './resnet-50.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        convention='official',
        source='layer4',
        in_channels=2048,
        init_cfg=None,
        loss=dict(
            type='mmdrloc.DRLocL1Loss', normalize='none', loss_weight=0.5
        ),
    ),
)
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]
