# Two global and two local crops, all of 112 pixels, as IDMM's authors ran
# DINO: one global crop is always blurred, the other one seldom, and sometimes
# solarized.
_base_ = './idmm_112px.py'

local_crop = dict(_base_.small, interpolation='bicubic')
global_crop = dict(local_crop, crop_ratio_range=(0.4, 1.0))
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
color = [flip, jitter, grey]
solarize = dict(type='mmpretrain.Solarize', thr=128, prob=0.2)
pretraining = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='mmpretrain.MultiView',
        num_views=[1, 1, 2],
        transforms=[
            [global_crop, *color, dict(blur, prob=1.0)],
            [global_crop, *color, dict(blur, prob=0.1), solarize],
            [local_crop, *color, blur],
        ],
    ),
    dict(type='mmpretrain.PackInputs'),
]
