# Detectors on few photos and two processor cores: the recipe of configs/coco/
# at a quarter of its size. 16 epochs, 2 photos an update.
_base_ = [
    'mmdet::_base_/datasets/coco_instance.py',
    '../datasets/{{$DATASET:coco_mini}}.py',
    '../default_runtime.py',
]
default_scope = 'mmdet'

# What recipes give their heads: no masks where the data have boxes alone.
has_masks = _base_.get('has_masks', True)
head = dict(num_classes=_base_.num_classes)
mask_head = head if has_masks else None

scale = (256, 256)
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='LoadAnnotations', with_bbox=True, with_mask=has_masks),
    dict(type='RandomFlip', prob=0.5),
    dict(type='Resize', scale=scale, keep_ratio=True),
    dict(type='PackDetInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='Resize', scale=scale, keep_ratio=True),
    dict(type='LoadAnnotations', with_bbox=True, with_mask=has_masks),
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

# No longer the library's.
dataset_type = _base_.train_dataset.type
data_root = _base_.train_dataset.get('data_root')
train_dataloader = dict(
    batch_size=2,
    num_workers=0,
    persistent_workers=False,
    dataset=dict(_base_.train_dataset, _delete_=True, pipeline=train_pipeline),
)
val_dataloader = dict(
    batch_size=4,
    num_workers=0,
    persistent_workers=False,
    dataset=dict(_base_.val_dataset, _delete_=True, pipeline=test_pipeline),
)
val_evaluator = dict(
    ann_file=_base_.val_ann_file,
    metric=['bbox', 'segm'] if has_masks else ['bbox'],
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

default_hooks = dict(visualization=dict(type='DetVisualizationHook'))
visualizer = dict(type='DetLocalVisualizer')
