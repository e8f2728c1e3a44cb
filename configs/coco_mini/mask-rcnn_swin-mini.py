# Mask R-CNN for people on photos at a size that two processor cores manage.
# Train: python tools/train.py configs/coco_mini/mask-rcnn_swin-mini.py
# Measured: box AP 0.2, AP50 0.8; mask AP 0.0, AP50 0.1 (704 updates, seed 0).
#     With --weights work_dirs/swin-mini_drloc_cifar10_photos (DRLoc without
#     signs): box AP 0.6, AP50 2.2; mask AP 0.5, AP50 1.1.
_base_ = [
    '../_base_/models/mask-rcnn_mini.py',
    '../_base_/default_runtime.py',
]

# The network of photos/swin-mini.py.
model = dict(
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
    neck=dict(in_channels=[32, 64, 128, 256]),
)

# 180 photos (88 show people), 120 to validate: the recipe of configs/coco/ at
# a quarter of its size, 2 photos an iteration.
dataset_name = 'coco_mini'
metainfo = dict(classes=('person',), palette=[(220, 20, 60)])
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='LoadAnnotations', with_bbox=True, with_mask=True),
    dict(type='RandomFlip', prob=0.5),
    dict(type='Resize', scale=(256, 256), keep_ratio=True),
    dict(type='PackDetInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='Resize', scale=(256, 256), keep_ratio=True),
    dict(type='LoadAnnotations', with_bbox=True, with_mask=True),
    dict(
        type='PackDetInputs',
        meta_keys=(
            'img_id',
            'img_path',
            'ori_shape',
            'img_shape',
            'scale_factor',
        ),
    ),
]
train_dataloader = dict(
    batch_size=2,
    num_workers=0,
    persistent_workers=False,
    sampler=dict(type='DefaultSampler', shuffle=True),
    batch_sampler=dict(type='AspectRatioBatchSampler'),
    dataset=dict(
        type='CocoDataset',
        data_root='data/coco_mini/',
        ann_file='annotations/instances_train.json',
        data_prefix=dict(img='train/'),
        metainfo=metainfo,
        filter_cfg=dict(filter_empty_gt=True, min_size=32),
        pipeline=train_pipeline,
    ),
)
val_dataloader = dict(
    batch_size=4,
    num_workers=0,
    persistent_workers=False,
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(
        type='CocoDataset',
        data_root='data/coco_mini/',
        ann_file='annotations/instances_val.json',
        data_prefix=dict(img='val/'),
        metainfo=metainfo,
        test_mode=True,
        pipeline=test_pipeline,
    ),
)
val_evaluator = dict(
    type='CocoMetric',
    ann_file='data/coco_mini/annotations/instances_val.json',
    metric=['bbox', 'segm'],
    format_only=False,
)
test_dataloader = val_dataloader
test_evaluator = val_evaluator

# AdamW as in configs/coco/, with the learning rate of a small network.
optim_wrapper = dict(
    type='OptimWrapper',
    optimizer=dict(type='AdamW', lr=5e-4, weight_decay=0.05),
    clip_grad=dict(max_norm=10, norm_type=2),
)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=30),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        T_max=16,
        convert_to_iter_based=True,
    ),
]
train_cfg = dict(by_epoch=True, max_epochs=16, val_interval=16)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=2)

default_scope = 'mmdet'
visualizer = dict(type='DetLocalVisualizer')
default_hooks = dict(
    visualization=dict(_delete_=True, type='DetVisualizationHook')
)
