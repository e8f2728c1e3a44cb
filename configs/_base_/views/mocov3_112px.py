# Two crops of 112 pixels, as MoCo v3 sees them: one is always blurred, the
# other one seldom, and sometimes solarized.
_base_ = './idmm_112px.py'

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
