# cvt-mini_32px.py with DRLoc.
# Measured: 64 pairs through 128 channels, unsigned: 82.16 % top-1 (seed 0).
_base_ = './cvt-mini_32px.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        # 4x4 cells.
        source='stages.1',
        in_channels=128,
        num_pairs=8,
        hidden_channels=256,
        # Distances without a sign gain nothing in minutes: when_it_helps.md.
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.1),
    ),
)
