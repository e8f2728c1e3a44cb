# Two global and two local crops, all of 112 pixels, as IDMM's authors ran
# DINO: the colours are MoCo v3's, for the local crops with another blur.
_base_ = './mocov3_112px.py'

local_crop = dict(_base_.small, interpolation='bicubic')
global_crop = dict(local_crop, crop_ratio_range=(0.4, 1.0))
colors = [_base_.flip, _base_.jitter, _base_.grey]
blur = _base_.blur
pretraining = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='mmpretrain.MultiView',
        num_views=[1, 1, 2],
        transforms=[
            [global_crop, *colors, dict(blur, prob=1.0)],
            [global_crop, *colors, dict(blur, prob=0.1), _base_.solarize],
            [local_crop, *colors, blur],
        ],
    ),
    dict(type='mmpretrain.PackInputs'),
]
