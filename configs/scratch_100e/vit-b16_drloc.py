# vit-b16.py with DRLoc on the 14x14 grid before the last norm, pooled to 7x7.
# Train: mmdrloc train scratch_100e/vit-b16_drloc
_base_ = './vit-b16.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.11',
        in_channels=768,
        pool='avg2x2',
        init_cfg=None,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.01),
    ),
)
