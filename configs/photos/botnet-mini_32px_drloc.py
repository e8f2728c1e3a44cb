# botnet-mini_32px.py with DRLoc on the 4x4 cells of its last stage.
# Train: mmdrloc train photos/botnet-mini_32px_drloc --amp
# Measured: in 6 epochs 75.99 ± 0.41 % top-1 (seeds 0-2, 10,000 test photos;
#     README.md).
_base_ = './botnet-mini_32px.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layer4',
        in_channels=128,
        num_pairs=8,
        hidden_channels=256,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.5),
    ),
)
