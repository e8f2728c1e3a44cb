# swin-mini.py with DRLoc.
# Train: mmdrloc train photos/swin-mini_drloc --dataset FOLDER
_base_ = './swin-mini.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        # 8x8 cells; the last stage has 2x2.
        source='stages.1',
        in_channels=64,
        # Nearly the gain of 64 pairs and 512 channels at a tenth of its price.
        num_pairs=8,
        hidden_channels=256,
        # Signed: which loss to take is in docs/loss.md.
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.5),
    ),
)
