# 5,000 of CIFAR-10's 50,000 training images, drawn once, and its 10,000 test
# images, at their own 32 pixels.
_base_ = './cifar10_photos.py'

dataset_name = 'cifar10-5k'

train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(
        type='mmpretrain.RandomResizedCrop',
        scale=32,
        crop_ratio_range=(0.2, 1.0),
        backend='pillow',
        interpolation='bicubic',
    ),
    dict(type='mmpretrain.RandomFlip', prob=0.5, direction='horizontal'),
    dict(type='mmpretrain.PackInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='mmpretrain.PackInputs'),
]

train_dataloader = dict(
    batch_size=64,
    drop_last=True,
    # A tenth of the images, shuffled by this seed whatever the run's.
    dataset=dict(
        _delete_=True,
        type='mmpretrain.KFoldDataset',
        num_splits=10,
        fold=0,
        test_mode=True,
        seed=0,
        dataset=dict(_base_.train_dataloader.dataset, pipeline=train_pipeline),
    ),
)

val_dataloader = dict(batch_size=250, dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
