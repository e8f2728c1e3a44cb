# Photos of any shape and data set at 64 pixels: a part, flipped or not; test
# photos by their middle, small ones whole.
_base_ = '../datasets/{{$DATASET:photos}}.py'

data_preprocessor = dict(
    num_classes=_base_.num_classes,
    mean=[123.675, 116.28, 103.53],
    std=[58.395, 57.12, 57.375],
    to_rgb=True,
)

# Files and images in memory alike.
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='mmpretrain.RandomResizedCrop',
        scale=64,
        crop_ratio_range=(0.4, 1.0),
        interpolation='bicubic',
    ),
    dict(type='mmpretrain.RandomFlip', prob=0.5, direction='horizontal'),
    dict(type='mmpretrain.PackInputs'),
]
middle = [
    dict(
        type='mmpretrain.ResizeEdge',
        scale=72,
        edge='short',
        interpolation='bicubic',
    ),
    dict(type='mmpretrain.CenterCrop', crop_size=64),
]
whole = [dict(type='mmpretrain.Resize', scale=64, interpolation='bicubic')]
test_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    *(whole if _base_.get('small_images') else middle),
    dict(type='mmpretrain.PackInputs'),
]
del middle, whole

train_dataloader = dict(
    batch_size=16,
    num_workers=0,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(_base_.train_dataset, pipeline=train_pipeline),
)
val_dataloader = dict(
    batch_size=200,
    num_workers=0,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(_base_.val_dataset, pipeline=test_pipeline),
)
val_evaluator = dict(type='mmpretrain.Accuracy', topk=1)

test_dataloader = val_dataloader
test_evaluator = val_evaluator
