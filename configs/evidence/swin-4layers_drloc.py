# swin-4layers.py with DRLoc on the 8x8 tokens.
# Train: mmdrloc train evidence/swin-4layers_drloc
# Measured: 45.12 ± 1.10 % top-1 (seeds 0-4, 2,000 of the test photos).
_base_ = './swin-4layers.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.1',
        in_channels=96,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.5),
    ),
)
