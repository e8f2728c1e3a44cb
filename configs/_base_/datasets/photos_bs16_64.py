# Your own photos at 64 pixels, data/photos/{train,val}/<class>/*, or those of
# --dataset FOLDER; 16 an iteration. Give the heads their number of classes
# where you do not use --dataset.
dataset_name = 'photos'

data_preprocessor = dict(
    num_classes=2,
    mean=[123.675, 116.28, 103.53],
    std=[58.395, 57.12, 57.375],
    to_rgb=True,
)

train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='RandomResizedCrop',
        scale=64,
        crop_ratio_range=(0.4, 1.0),
        interpolation='bicubic',
    ),
    dict(type='RandomFlip', prob=0.5, direction='horizontal'),
    dict(type='PackInputs'),
]
test_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='ResizeEdge', scale=72, edge='short', interpolation='bicubic'),
    dict(type='CenterCrop', crop_size=64),
    dict(type='PackInputs'),
]
# What --dataset takes for images of 32 px and the like: nothing is cut off.
small_test_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='Resize', scale=64, interpolation='bicubic'),
    dict(type='PackInputs'),
]

train_dataloader = dict(
    batch_size=16,
    num_workers=0,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(
        type='CustomDataset',
        data_root='data/photos',
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
        type='CustomDataset',
        data_root='data/photos',
        data_prefix='val',
        pipeline=test_pipeline,
    ),
)
val_evaluator = dict(type='Accuracy', topk=1)
test_dataloader = val_dataloader
test_evaluator = val_evaluator
