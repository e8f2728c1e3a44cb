# cvt-mini_64px.py with DRLoc.
# Train: python tools/train.py configs/photos/cvt-mini_64px_drloc.py
_base_ = './cvt-mini_64px.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        # 4x4 cells.
        source='stages.2',
        in_channels=128,
        hidden_channels=128,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.1),
    ),
)
