# CIFAR-10 as image files in a folder a class: shifted by up to 4 pixels and
# flipped, 128 an iteration on one core.
dataset_name = 'cifar10_photos'

data_preprocessor = dict(
    num_classes=10,
    mean=[123.675, 116.28, 103.53],
    std=[58.395, 57.12, 57.375],
    to_rgb=True,
)

# Resize does nothing to CIFAR-10; other photos come by --dataset.
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='Resize', scale=32),
    dict(type='RandomCrop', crop_size=32, padding=4),
    dict(type='RandomFlip', prob=0.5, direction='horizontal'),
    dict(type='PackInputs'),
]
test_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='Resize', scale=32),
    dict(type='PackInputs'),
]

train_dataloader = dict(
    batch_size=128,
    num_workers=0,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(
        type='CustomDataset',
        data_root='data/cifar10_photos',
        data_prefix='train',
        pipeline=train_pipeline,
    ),
)
val_dataloader = dict(
    batch_size=250,
    num_workers=0,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(
        type='CustomDataset',
        data_root='data/cifar10_photos',
        data_prefix='test',
        pipeline=test_pipeline,
    ),
)
val_evaluator = dict(type='Accuracy', topk=1)
test_dataloader = val_dataloader
test_evaluator = val_evaluator
