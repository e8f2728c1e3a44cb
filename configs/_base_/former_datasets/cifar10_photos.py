# CIFAR-10 as image files in a folder a class, enlarged to 64 pixels.
dataset_name = 'cifar10-photos'
dataset_type = 'mmpretrain.CustomDataset'
data_root = 'data/cifar10_photos'

data_preprocessor = dict(
    num_classes=10,
    mean=[123.675, 116.28, 103.53],
    std=[58.395, 57.12, 57.375],
    to_rgb=True,
)

train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(
        type='mmpretrain.RandomResizedCrop',
        scale=64,
        crop_ratio_range=(0.4, 1.0),
        interpolation='bicubic',
    ),
    dict(type='mmpretrain.RandomFlip', prob=0.5, direction='horizontal'),
    dict(type='mmpretrain.PackInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='mmpretrain.Resize', scale=64, interpolation='bicubic'),
    dict(type='mmpretrain.PackInputs'),
]

train_dataloader = dict(
    batch_size=64,
    num_workers=0,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(
        type=dataset_type,
        data_root=data_root,
        data_prefix='train',
        pipeline=train_pipeline,
    ),
)
val_dataloader = dict(
    batch_size=200,
    num_workers=0,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(
        type=dataset_type,
        data_root=data_root,
        data_prefix='test',
        pipeline=test_pipeline,
    ),
)
val_evaluator = dict(type='mmpretrain.Accuracy', topk=1)

test_dataloader = val_dataloader
test_evaluator = val_evaluator
