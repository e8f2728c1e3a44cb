# Small images at 36 pixels, barely enlarged, for the lightweight ViT; the
# augmentations are those of paper_224px.py.
_base_ = './paper_224px.py'

load, _, *others = _base_.train_pipeline
crop = dict(
    type='mmpretrain.RandomResizedCrop',
    scale=36,
    crop_ratio_range=(0.2, 1.0),
    backend='pillow',
    interpolation='bicubic',
)
train_pipeline = [load, crop, *others]
# Cropping and flipping alone.
plain_pipeline = [load, crop, others[0], others[-1]]
test_pipeline = [
    load,
    dict(
        type='mmpretrain.Resize',
        scale=36,
        backend='pillow',
        interpolation='bicubic',
    ),
    _base_.test_pipeline[-1],
]
del load, others

train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
