# vit-4layers_no-positions.py with DRLoc, signed, on the 8x8 tokens.
# Train: mmdrloc train evidence/vit-4layers_no-positions_drloc-signed
# Measured: 42.08 ± 0.36 % top-1 (seeds 0-2, 2,000 of the test photos).
_base_ = './vit-4layers_no-positions.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.3',
        in_channels=96,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.5, signed=True),
    ),
)
