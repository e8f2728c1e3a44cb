# Flowers102 for MoCo v3 as IDMM's poster compares it: two crops of 112 pixels,
# one always blurred, the other one seldom, and sometimes solarized; as DINO's.
_base_ = './flowers102_bs64_dino_112.py'

crop = dict(
    type='RandomResizedCrop',
    scale=112,
    crop_ratio_range=(0.08, 1.0),
    backend='pillow',
)
often = [crop, _base_.jitter, _base_.gray, _base_.always_blur, _base_.flip]
seldom = [
    crop,
    _base_.jitter,
    _base_.gray,
    _base_.seldom_blur,
    _base_.solarize,
    _base_.flip,
]
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='MultiView', num_views=[1, 1], transforms=[often, seldom]),
    dict(type='PackInputs'),
]

train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
