# vit-4layers_augmented.py with DRLoc, signed offsets and a small head.
# Train: mmdrloc train evidence/vit-4layers_augmented_drloc-signed --iters 4500
# Measured: 48.50 ± 0.66 % top-1 on 5,000 photos after 4,500 iterations, 36.93
#     ± 0.66 after 1,500 (seeds 0-2), 60.67 ± 1.17 after 13,500 (0, 1), 2,000
#     of the test photos. At the tenfold rate of positions and a learning rate
#     of 1e-3 49.63 ± 0.23 after 4,500, 59.92 ± 0.82 after 13,500 (seeds 0-2,
#     all 10,000).
_base_ = './vit-4layers_augmented.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.3',
        in_channels=96,
        num_pairs=8,
        hidden_channels=256,
        loss=dict(type='mmdrloc.DRLocL1Loss', signed=True, loss_weight=0.5),
    ),
)
