# MoCo v3, the rest as simclr_vit-narrow_16px.py. Projection and predictor are
# four times as wide as the features.
# Train: mmdrloc train evidence/mocov3_vit-narrow_16px --dataset cifar10-500
# Measured: fine-tuned as IDMM is, 39.19 ± 0.30 % top-1 (seeds 0-2).
_base_ = './simclr_vit-narrow_16px.py'
neck = dict(
    type='NonLinearNeck',
    in_channels=96,
    hid_channels=384,
    out_channels=128,
    num_layers=3,
    with_bias=False,
    with_last_bn=True,
    with_last_bn_affine=False,
    with_last_bias=False,
    with_avg_pool=False,
)
model = dict(
    type='MoCoV3',
    base_momentum=0.01,
    neck=dict(_delete_=True, **neck),
    head=dict(
        _delete_=True,
        type='MoCoV3Head',
        predictor=dict(neck, in_channels=128, num_layers=2),
        # Twice the temperature.
        loss=dict(type='CrossEntropyLoss', loss_weight=0.4),
        temperature=0.2,
    ),
)
train_cfg = dict(max_epochs=370)
