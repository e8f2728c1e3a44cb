# MoCo v3 with mmpretrain's projection and predictor; recipes add the backbone,
# whose patch embedding is trained, too.
model = dict(
    type='MoCoV3',
    base_momentum=0.01,
    neck=dict(
        type='NonLinearNeck',
        hid_channels=4096,
        out_channels=256,
        num_layers=3,
        with_bias=False,
        with_last_bn=True,
        with_last_bn_affine=False,
        with_last_bias=False,
    ),
    head=dict(
        type='MoCoV3Head',
        predictor=dict(
            type='NonLinearNeck',
            in_channels=256,
            hid_channels=4096,
            out_channels=256,
            num_layers=2,
            with_bias=False,
            with_last_bn=True,
            with_last_bn_affine=False,
            with_last_bias=False,
            with_avg_pool=False,
        ),
        # Twice the temperature.
        loss=dict(type='CrossEntropyLoss', loss_weight=0.4),
        temperature=0.2,
    ),
)
