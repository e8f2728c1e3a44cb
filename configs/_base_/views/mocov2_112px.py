# Two crops of 112 pixels, as MoCo v2 sees them.
_base_ = './idmm_112px.py'

crop = dict(_base_.large, crop_ratio_range=(0.2, 1.0))
jitter = dict(
    type='RandomApply',
    transforms=[
        dict(
            type='mmpretrain.ColorJitter',
            brightness=0.4,
            contrast=0.4,
            saturation=0.4,
            hue=0.1,
        )
    ],
    prob=0.8,
)
flip, _, grey, blur = _base_.color
pretraining = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='mmpretrain.MultiView',
        num_views=2,
        transforms=[[crop, jitter, grey, blur, flip]],
    ),
    dict(type='mmpretrain.PackInputs'),
]
