# swin-2stage.py with DRLoc.
# Train: mmdrloc train quickstart/swin-2stage_drloc
# Measured: without signs, 95.50 +- 0.50 % top-1 (last, seeds 0-2).
_base_ = './swin-2stage.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.1',
        in_channels=96,
        num_pairs=8,
        hidden_channels=256,
        # Signed: which loss to take is in docs/loss.md.
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.5),
    ),
)
