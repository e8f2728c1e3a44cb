# cvt-13.py with DRLoc on the 14x14 grid of the last stage, pooled to 7x7.
# Train: python tools/train.py configs/official/cvt-13_drloc.py
_base_ = './cvt-13.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        convention='official',
        source='stages.2',
        in_channels=384,
        pool='avg3x3s2',
        init_cfg=None,
        loss=dict(
            type='mmdrloc.DRLocL1Loss', normalize='none', loss_weight=0.1
        ),
    ),
)
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]
