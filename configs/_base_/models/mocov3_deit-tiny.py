# MoCo v3 of DeiT-Tiny on crops of 112 pixels: mmpretrain's projection and
# predictor. The patch embedding is trained, too.
_base_ = './idmm_deit-tiny.py'

projection = dict(
    type='mmpretrain.NonLinearNeck',
    in_channels=192,
    hid_channels=4096,
    out_channels=256,
    num_layers=3,
    with_bias=False,
    with_last_bn=True,
    with_last_bn_affine=False,
    with_last_bias=False,
    with_avg_pool=False,
)
temperature = 0.2
model = dict(
    _delete_=True,
    type='mmpretrain.MoCoV3',
    base_momentum=0.01,
    backbone=_base_.model.backbone,
    neck=projection,
    head=dict(
        type='mmpretrain.MoCoV3Head',
        predictor=dict(
            projection, in_channels=256, num_layers=2, with_avg_pool=False
        ),
        loss=dict(
            type='mmpretrain.CrossEntropyLoss', loss_weight=2 * temperature
        ),
        temperature=temperature,
    ),
    init_cfg=_base_.model.init_cfg,
    data_preprocessor=_base_.model.data_preprocessor,
)
