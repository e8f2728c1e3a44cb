# CvT-13 with DRLoc on the 14x14 grid of the last stage, pooled to 7x7.
_base_ = './cvt-13.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.2',
        in_channels=384,
        pool='avg2x2',
        init_cfg=None,  # PyTorch's own, as the rest
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.1),
    ),
)
