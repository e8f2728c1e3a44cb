# swin-4layers_drloc-signed.py with permuted cells (permuted-grid control).
# Train: mmdrloc train evidence/swin-4layers_drloc-scrambled
# Measured: 45.00 ± 0.66 % top-1 (seeds 0-4, 2,000 of the test photos).
_base_ = './swin-4layers.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.1',
        in_channels=96,
        loss=dict(
            type='mmdrloc.DRLocScrambledLoss', signed=True, loss_weight=0.5
        ),
    ),
)
