# Two global and two local crops, all of 112 pixels.
_base_ = './idmm_112px.py'

pretraining = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='mmpretrain.MultiView',
        num_views=[2, 2],
        transforms=[
            [dict(_base_.large, crop_ratio_range=(0.4, 1.0)), *_base_.color],
            [_base_.small, *_base_.color],
        ],
    ),
    dict(type='mmpretrain.PackInputs'),
]
