# Detectors of images of 128 px and two processor cores: nine epochs, of the
# digits' 150 scenes 342 updates.
_base_ = ['../datasets/{{$DATASET:digits_coco}}.py', '../default_runtime.py']
default_scope = 'mmdet'

# What recipes give their heads: no masks where the data have boxes alone.
has_masks = _base_.get('has_masks', True)
head = dict(num_classes=_base_.num_classes)
mask_head = head if has_masks else None

# The scenes of digits have this size. Predictions are scaled back to the
# file's by the factor that Resize writes down, even where it is 1.
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='mmdet.LoadAnnotations', with_bbox=True, with_mask=has_masks),
    dict(type='mmdet.Resize', scale=(128, 128), keep_ratio=True),
    dict(type='mmdet.PackDetInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='mmdet.Resize', scale=(128, 128), keep_ratio=True),
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
    batch_size=4,
    num_workers=0,
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(_base_.train_dataset, pipeline=train_pipeline),
)
val_dataloader = dict(
    batch_size=10,
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
    optimizer=dict(
        type='AdamW', lr=2e-3, betas=(0.9, 0.98), weight_decay=1e-4
    ),
    paramwise_cfg=dict(custom_keys=dict(backbone=dict(lr_mult=0.5))),
)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=20),
    # As long as the training.
    dict(type='CosineAnnealingLR', by_epoch=True, convert_to_iter_based=True),
]

train_cfg = dict(by_epoch=True, max_epochs=9, val_interval=3)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=4)

default_hooks = dict(visualization=dict(type='DetVisualizationHook'))
visualizer = dict(type='DetLocalVisualizer')
