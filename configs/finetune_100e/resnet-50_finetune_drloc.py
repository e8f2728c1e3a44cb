# resnet-50_finetune.py with DRLoc on its last map, 7x7.
# Train: mmdrloc train finetune_100e/resnet-50_finetune_drloc \
#      --weights resnet50-0676ba61.pth
_base_ = './resnet-50_finetune.py'
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
