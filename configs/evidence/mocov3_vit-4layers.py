# MoCo v3, the rest as simclr_vit-4layers.py. Projection and predictor are four
# times as wide as the features.
# Train: mmdrloc train evidence/mocov3_vit-4layers --dataset cifar10-5k
# Measured: docs/pretraining.md.
_base_ = './simclr_vit-4layers.py'
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
