# 300 images to train on, 100 to validate, a part of BBBC038v1; crops of 192
# px. Most are enlarged: half of the nuclei have less than 14 px a side.
dataset_name = 'nuclei'
metainfo = dict(classes=('nucleus',), palette=[(220, 20, 60)])
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='LoadAnnotations', with_bbox=True, with_mask=True),
    dict(type='Resize', scale=(360, 360), keep_ratio=True),
    dict(type='RandomCrop', crop_size=(192, 192)),
    # No direction of a microscopy image is up.
    dict(type='RandomFlip', prob=0.5, direction=['horizontal', 'vertical']),
    dict(type='PackDetInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='Resize', scale=(360, 360), keep_ratio=True),
    dict(type='LoadAnnotations', with_bbox=True, with_mask=True),
    dict(type='PackDetInputs'),
]
train_dataloader = dict(
    batch_size=2,
    num_workers=0,
    sampler=dict(type='DefaultSampler', shuffle=True),
    batch_sampler=dict(type='AspectRatioBatchSampler'),
    dataset=dict(
        type='CocoDataset',
        data_root='data/nuclei/',
        ann_file='annotations/instances_train.json',
        data_prefix=dict(img='train/'),
        metainfo=metainfo,
        pipeline=train_pipeline,
    ),
)
val_dataloader = dict(
    batch_size=4,
    num_workers=0,
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(
        type='CocoDataset',
        data_root='data/nuclei/',
        ann_file='annotations/instances_val.json',
        data_prefix=dict(img='val/'),
        metainfo=metainfo,
        test_mode=True,
        pipeline=test_pipeline,
    ),
)
val_evaluator = dict(
    type='mmdrloc.CocoMetric',
    ann_file='data/nuclei/annotations/instances_val.json',
    metric=['bbox', 'segm'],
)
test_dataloader = val_dataloader
test_evaluator = val_evaluator
