# IDMM before vit-4layers.py, for the time of 750 of its updates: 3 epochs.
# Train: mmdrloc train evidence/idmm_vit-4layers --dataset cifar10-5k
# Measured: vit-4layers.py after it 35.62 ± 0.93 % top-1 (seeds 0-2, 2,000 of
#     the test photos); without it 43.17 ± 0.78 %.
_base_ = '../idmm/idmm_vit-narrow_16px.py'
model = dict(
    backbone=dict(
        arch=dict(num_layers=4, feedforward_channels=384),
        with_cls_token=False,
        out_type='avg_featmap',
    )
)

param_scheduler = [
    dict(
        type='LinearLR', start_factor=1e-3, end=1, convert_to_iter_based=True
    ),
    dict(type='CosineAnnealingLR', begin=1, convert_to_iter_based=True),
]
train_cfg = dict(max_epochs=3)
