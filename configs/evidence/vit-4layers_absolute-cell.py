# vit-4layers_drloc-signed.py with another task of the same cost: where one
# token lies in the image. 8 pairs, 256 channels.
# Train: mmdrloc train evidence/vit-4layers_absolute-cell
# Measured: 50.00 ± 0.49 % top-1 with positions that learn at ten times the
#     rate and weight 1 (seeds 0-4, 10,000 test photos).
_base_ = './vit-4layers.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.3',
        in_channels=96,
        num_pairs=8,
        hidden_channels=256,
        loss=dict(type='mmdrloc.AbsoluteCellLoss', loss_weight=0.5),
    ),
)
