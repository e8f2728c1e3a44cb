# Label maps drawn by tools/dataset_converters/coco_to_label_maps.py: people,
# and the background.
dataset_name = 'coco-mini'
data_made_by = (
    'python tools/dataset_converters/coco_to_label_maps.py '
    'data/coco_mini/annotations/instances_SPLIT.json data/coco_mini/SPLIT '
    'data/coco_mini/people/SPLIT --categories person'
)
dataset_type = 'mmseg.BaseSegDataset'
data_root = 'data/coco_mini/people'
metainfo = dict(
    classes=['background', 'person'], palette=[[0, 0, 0], [220, 20, 60]]
)

train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='mmseg.LoadAnnotations'),
    dict(
        type='RandomResize',
        scale=(336, 192),
        ratio_range=(0.75, 1.5),
        keep_ratio=True,
    ),
    dict(type='mmseg.RandomCrop', crop_size=(192, 192), cat_max_ratio=0.75),
    dict(type='mmseg.RandomFlip', prob=0.5),
    dict(type='mmseg.PackSegInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='mmseg.Resize', scale=(336, 192), keep_ratio=True),
    dict(type='mmseg.LoadAnnotations'),
    dict(type='mmseg.PackSegInputs'),
]

train_dataloader = dict(
    batch_size=4,
    num_workers=0,
    sampler=dict(type='InfiniteSampler', shuffle=True),
    dataset=dict(
        type=dataset_type,
        data_root=data_root,
        data_prefix=dict(
            img_path='train/images', seg_map_path='train/annotations'
        ),
        metainfo=metainfo,
        pipeline=train_pipeline,
    ),
)
val_dataloader = dict(
    batch_size=1,
    num_workers=0,
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(
        type=dataset_type,
        data_root=data_root,
        data_prefix=dict(
            img_path='val/images', seg_map_path='val/annotations'
        ),
        metainfo=metainfo,
        pipeline=test_pipeline,
    ),
)
val_evaluator = dict(type='mmseg.IoUMetric', iou_metrics=['mIoU'])

test_dataloader = val_dataloader
test_evaluator = val_evaluator
