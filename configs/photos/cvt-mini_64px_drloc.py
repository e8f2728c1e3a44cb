# cvt-mini_64px.py with DRLoc on the 4x4 cells of its last stage.
# Train: python tools/train.py configs/photos/cvt-mini_64px_drloc.py
_base_ = './cvt-mini_64px.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.2',
        in_channels=128,
        num_pairs=8,
        hidden_channels=256,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.1),
    ),
)
