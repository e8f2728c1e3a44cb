# cvt-13.py with DRLoc on the 14x14 grid of the last stage, pooled to 7x7.
# Train: mmdrloc train scratch_100e/cvt-13_drloc
_base_ = './cvt-13.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.2',
        in_channels=384,
        pool='avg2x2',
        init_cfg=None,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.1),
    ),
)
