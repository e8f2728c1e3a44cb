# CIFAR-10 at 36 pixels, barely enlarged, for the lightweight ViT.
_base_ = './cifar10.py'

train_pipeline = [
    _base_.train_pipeline[0],
    dict(
        type='RandomResizedCrop',
        scale=36,
        crop_ratio_range=(0.2, 1.0),
        backend='pillow',
        interpolation='bicubic',
    ),
    *_base_.train_pipeline[2:],
]
test_pipeline = [
    _base_.test_pipeline[0],
    dict(type='Resize', scale=36, backend='pillow', interpolation='bicubic'),
    _base_.test_pipeline[-1],
]

train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
