# UperNet for people on photos at a size that two processor cores manage.
# Train: mmdrloc train coco_mini/upernet_swin-mini
# Measured: mIoU 48.8, IoU of people 14.8 (500 updates, seed 0).
_base_ = [
    '../_base_/models/upernet_mini.py',
    '../_base_/schedules/upernet_mini_adamw_500it.py',
    '../_base_/mmseg_runtime.py',
]

# The network of photos/swin-mini.py. People cover 7 % of the pixels:
# unweighted, all became background. What is padded counts as background: with
# weights, mmseg 1.2 cannot leave pixels out.
model = dict(
    data_preprocessor=dict(size=(192, 192), seg_pad_val=0),
    backbone=dict(
        _delete_=True,
        type='mmpretrain.SwinTransformer',
        arch=dict(embed_dims=32, depths=[2, 2, 2, 2], num_heads=[1, 2, 4, 8]),
        img_size=64,
        window_size=4,
        drop_path_rate=0.0,
        out_indices=(0, 1, 2, 3),
        pad_small_map=True,
        init_cfg=dict(type='Xavier', layer='Linear'),
    ),
    decode_head=dict(
        num_classes=2,
        in_channels=[32, 64, 128, 256],
        loss_decode=dict(class_weight=[1.0, 7.0]),
    ),
    auxiliary_head=dict(
        num_classes=2,
        in_channels=128,
        loss_decode=dict(class_weight=[1.0, 7.0]),
    ),
)

dataset_name = 'coco_mini_seg'
metainfo = dict(
    classes=['background', 'person'], palette=[[0, 0, 0], [220, 20, 60]]
)
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='LoadAnnotations'),
    dict(
        type='RandomResize',
        scale=(336, 192),
        ratio_range=(0.75, 1.5),
        keep_ratio=True,
    ),
    dict(type='RandomCrop', crop_size=(192, 192), cat_max_ratio=0.75),
    dict(type='RandomFlip', prob=0.5),
    dict(type='PackSegInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='Resize', scale=(336, 192), keep_ratio=True),
    dict(type='LoadAnnotations'),
    dict(type='PackSegInputs'),
]
train_dataloader = dict(
    batch_size=4,
    num_workers=0,
    persistent_workers=False,
    sampler=dict(type='InfiniteSampler', shuffle=True),
    dataset=dict(
        type='BaseSegDataset',
        data_root='data/coco_mini/people',
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
    persistent_workers=False,
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(
        type='BaseSegDataset',
        data_root='data/coco_mini/people',
        data_prefix=dict(
            img_path='val/images', seg_map_path='val/annotations'
        ),
        metainfo=metainfo,
        pipeline=test_pipeline,
    ),
)
val_evaluator = dict(type='IoUMetric', iou_metrics=['mIoU'])
test_dataloader = val_dataloader
test_evaluator = val_evaluator
