# Two crops of 112 pixels, as SimCLR sees them.
_base_ = './idmm_112px.py'

crop = dict(type='mmpretrain.RandomResizedCrop', scale=112, backend='pillow')
pretraining = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='mmpretrain.MultiView',
        num_views=2,
        transforms=[[crop, *_base_.color]],
    ),
    dict(type='mmpretrain.PackInputs'),
]
