# vit-b16.py with DRLoc on the 14x14 grid before the last norm.
# Train: python tools/train.py configs/official/vit-b16_drloc.py
_base_ = './vit-b16.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        convention='official',
        source='layers.11',
        in_channels=768,
        pool=None,
        init_cfg=None,
        loss=dict(
            type='mmdrloc.DRLocL1Loss', normalize='none', loss_weight=0.01
        ),
    ),
)
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]
