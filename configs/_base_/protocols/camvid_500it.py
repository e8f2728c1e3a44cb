# Segmentors on photos of streets and two processor cores: 500 updates of 4
# photos.
_base_ = [
    '../datasets/{{$DATASET:camvid}}.py',
    '../schedules/seg_500it.py',
]

# What recipes give their heads.
head = dict(
    num_classes=_base_.num_classes,
    loss_decode=dict(class_weight=_base_.get('class_weight')),
)
# What is padded counts as background where classes are weighted: with weights,
# mmseg 1.2 cannot leave pixels out.
batch = dict(
    size=(176, 176), seg_pad_val=0 if _base_.get('class_weight') else 255
)

train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='mmseg.LoadAnnotations'),
    dict(
        type='RandomResize',
        scale=(240, 180),
        ratio_range=(0.75, 1.5),
        keep_ratio=True,
    ),
    dict(type='mmseg.RandomCrop', crop_size=(176, 176), cat_max_ratio=0.75),
    dict(type='mmseg.RandomFlip', prob=0.5),
    dict(type='mmseg.PackSegInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='mmseg.Resize', scale=(240, 180), keep_ratio=True),
    dict(type='mmseg.LoadAnnotations'),
    dict(type='mmseg.PackSegInputs'),
]

train_dataloader = dict(
    batch_size=4,
    num_workers=0,
    sampler=dict(type='InfiniteSampler', shuffle=True),
    dataset=dict(_base_.train_dataset, pipeline=train_pipeline),
)
val_dataloader = dict(
    batch_size=1,
    num_workers=0,
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(_base_.val_dataset, pipeline=test_pipeline),
)
test_dataloader = val_dataloader
