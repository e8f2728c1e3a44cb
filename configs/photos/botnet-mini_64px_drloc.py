# botnet-mini_64px.py with DRLoc on the 4x4 cells of its last stage.
# Train: mmdrloc train photos/botnet-mini_64px_drloc --dataset FOLDER
# Measured: 78.67 ± 0.27 % top-1 on flowers, 79.08 ± 1.62 % on clothes (seeds
#     0-2, on 736 and 341 validation photos; README.md); with weight 1 79.53 ±
#     0.78 % on flowers, no gain over botnet-mini_64px.py at equal time.
_base_ = './botnet-mini_64px.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layer4',
        in_channels=256,
        num_pairs=8,
        hidden_channels=256,
        # Signed: which loss to take is in docs/loss.md.
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.5),
    ),
)
