# Images of 56 px and two processor cores, in three epochs: of the digits an
# epoch shows each of the 1,397 eight times, 350 updates.
_base_ = ['../datasets/{{$DATASET:digits}}.py', '../cls_runtime.py']

data_preprocessor = dict(
    num_classes=_base_.num_classes,
    mean=[123.675, 116.28, 103.53],
    std=[58.395, 57.12, 57.375],
    to_rgb=True,
)

# Files and images in memory alike; digits have this size.
pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='mmpretrain.Resize', scale=56),
    dict(type='mmpretrain.PackInputs'),
]

train_dataloader = dict(
    batch_size=32,
    num_workers=0,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(_base_.train_dataset, pipeline=pipeline),
)
val_dataloader = dict(
    batch_size=100,
    num_workers=0,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(_base_.val_dataset, pipeline=pipeline),
)
val_evaluator = dict(type='mmpretrain.Accuracy', topk=1)

test_dataloader = val_dataloader
test_evaluator = val_evaluator

# Digits are not flipped: they are seen in two sizes.
tta_model = dict(type='mmpretrain.AverageClsScoreTTA')
tta_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='TestTimeAug',
        transforms=[
            [dict(type='mmpretrain.Resize', scale=size) for size in (56, 64)],
            [dict(type='mmpretrain.PackInputs')],
        ],
    ),
]

optim_wrapper = dict(
    optimizer=dict(
        type='AdamW', lr=1.5e-3, betas=(0.9, 0.98), weight_decay=0.05
    )
)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=50),
    # As long as the training.
    dict(type='CosineAnnealingLR', by_epoch=True, convert_to_iter_based=True),
]

train_cfg = dict(by_epoch=True, max_epochs=3, val_interval=1)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=32)
