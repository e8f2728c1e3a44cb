# Detectors of many small objects and two processor cores: 4 epochs, 2 crops an
# update.
_base_ = ['../datasets/{{$DATASET:nuclei}}.py', '../default_runtime.py']
default_scope = 'mmdet'

# What recipes give their heads: no masks where the data have boxes alone.
has_masks = _base_.get('has_masks', True)
head = dict(num_classes=_base_.num_classes)
mask_head = head if has_masks else None

# Enlarged, most of them: half of the nuclei have less than 14 px a side.
scale = (360, 360)
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='mmdet.LoadAnnotations', with_bbox=True, with_mask=has_masks),
    dict(type='mmdet.Resize', scale=scale, keep_ratio=True),
    dict(type='mmdet.RandomCrop', crop_size=(192, 192)),
    # No direction of a microscopy image is up.
    dict(
        type='mmdet.RandomFlip', prob=0.5, direction=['horizontal', 'vertical']
    ),
    dict(type='mmdet.PackDetInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='mmdet.Resize', scale=scale, keep_ratio=True),
    dict(type='mmdet.LoadAnnotations', with_bbox=True, with_mask=has_masks),
    dict(
        type='mmdet.PackDetInputs',
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
    sampler=dict(type='DefaultSampler', shuffle=True),
    batch_sampler=dict(type='mmdet.AspectRatioBatchSampler'),
    dataset=dict(_base_.train_dataset, pipeline=train_pipeline),
)
val_dataloader = dict(
    batch_size=4,
    num_workers=0,
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(_base_.val_dataset, pipeline=test_pipeline),
)
val_evaluator = dict(
    type='mmdet.CocoMetric',
    ann_file=_base_.val_ann_file,
    metric=['bbox', 'segm'] if has_masks else ['bbox'],
)
test_dataloader = val_dataloader
test_evaluator = val_evaluator

optim_wrapper = dict(
    type='OptimWrapper',
    optimizer=dict(type='AdamW', lr=1e-3, weight_decay=0.05),
    clip_grad=dict(max_norm=10, norm_type=2),
)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=30),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        T_max=4,
        convert_to_iter_based=True,
    ),
]
train_cfg = dict(by_epoch=True, max_epochs=4, val_interval=4)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=2)

default_hooks = dict(visualization=dict(type='DetVisualizationHook'))
visualizer = dict(type='DetLocalVisualizer')
