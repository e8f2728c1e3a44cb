# Segmentors of images of 128 px and two processor cores: 1,000 updates, of the
# digits' 1,000 scenes four epochs.
_base_ = ['../datasets/{{$DATASET:digits_seg}}.py', '../default_runtime.py']
default_scope = 'mmseg'

# What recipes give their heads.
head = dict(
    num_classes=_base_.num_classes,
    loss_decode=dict(class_weight=_base_.get('class_weight')),
)

# The scenes of digits have this size.
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='mmseg.LoadAnnotations'),
    dict(type='mmseg.Resize', scale=(128, 128)),
    dict(type='mmseg.PackSegInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='mmseg.Resize', scale=(128, 128)),
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
    batch_size=10,
    num_workers=0,
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(_base_.val_dataset, pipeline=test_pipeline),
)
val_evaluator = dict(type='mmseg.IoUMetric', iou_metrics=['mIoU'])

test_dataloader = val_dataloader
test_evaluator = val_evaluator

# Digits are not flipped: they are seen in two sizes.
tta_model = dict(type='mmseg.SegTTAModel')
tta_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(
        type='TestTimeAug',
        transforms=[
            [
                dict(type='mmseg.Resize', scale_factor=factor, keep_ratio=True)
                for factor in (1.0, 1.25)
            ],
            [dict(type='mmseg.LoadAnnotations')],
            [dict(type='mmseg.PackSegInputs')],
        ],
    ),
]

optim_wrapper = dict(
    type='OptimWrapper',
    optimizer=dict(
        type='AdamW', lr=1e-2, betas=(0.9, 0.98), weight_decay=1e-4
    ),
    paramwise_cfg=dict(custom_keys=dict(backbone=dict(lr_mult=0.05))),
)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=50),
    # As long as the training.
    dict(type='CosineAnnealingLR', by_epoch=False),
]

train_cfg = dict(type='IterBasedTrainLoop', max_iters=1000, val_interval=250)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=4)

default_hooks = dict(
    checkpoint=dict(by_epoch=False, interval=250),
    visualization=dict(type='SegVisualizationHook'),
)
visualizer = dict(type='SegLocalVisualizer')
log_processor = dict(by_epoch=False)
