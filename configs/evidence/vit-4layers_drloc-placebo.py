# vit-4layers_drloc-signed.py with the targets of other pairs: nothing can be
# learned (shuffled-target control).
# Train: mmdrloc train evidence/vit-4layers_drloc-placebo
# Measured: 43.29 ± 0.59 % top-1 (seeds 0-4, 2,000 of the test photos).
_base_ = './vit-4layers.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='layers.3',
        in_channels=96,
        loss=dict(
            type='mmdrloc.DRLocPlaceboLoss', signed=True, loss_weight=0.5
        ),
    ),
)
