# MoCo v3 as IDMM's poster compares it: two crops of 112 pixels, one always
# blurred, the other one seldom, and sometimes solarized; mmpretrain's
# projection and predictor. The patch embedding is trained, too. A recipe adds
# the network to `method`.
_base_ = './idmm_pretrain.py'

projection = dict(
    type='mmpretrain.NonLinearNeck',
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
method = dict(
    type='mmpretrain.MoCoV3',
    base_momentum=0.01,
    neck=projection,
    head=dict(
        type='mmpretrain.MoCoV3Head',
        predictor=dict(projection, in_channels=256, num_layers=2),
        loss=dict(
            type='mmpretrain.CrossEntropyLoss', loss_weight=2 * temperature
        ),
        temperature=temperature,
    ),
    data_preprocessor=_base_.method.data_preprocessor,
    _delete_=True,
)

crop = dict(_base_.large, crop_ratio_range=(0.08, 1.0))
jitter = dict(
    type='RandomApply',
    transforms=[
        dict(
            type='mmpretrain.ColorJitter',
            brightness=0.4,
            contrast=0.4,
            saturation=0.2,
            hue=0.1,
        )
    ],
    prob=0.8,
)
flip, _, grey, blur = _base_.color
solarize = dict(type='mmpretrain.Solarize', thr=128, prob=0.2)
pretraining = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='mmpretrain.MultiView',
        num_views=[1, 1],
        transforms=[
            [crop, jitter, grey, dict(blur, prob=1.0), flip],
            [crop, jitter, grey, dict(blur, prob=0.1), solarize, flip],
        ],
    ),
    dict(type='mmpretrain.PackInputs'),
]
train_dataloader = dict(drop_last=True, dataset=dict(pipeline=pretraining))
