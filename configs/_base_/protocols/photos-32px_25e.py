# A small network on many small photos and two processor cores: 25 epochs at 32
# pixels, 128 an update, shifted by up to 4 pixels and flipped.
_base_ = ['../datasets/{{$DATASET:cifar10_photos}}.py', '../cls_runtime.py']

data_preprocessor = dict(
    num_classes=_base_.num_classes,
    mean=[123.675, 116.28, 103.53],
    std=[58.395, 57.12, 57.375],
    to_rgb=True,
)

# Files and images in memory alike; those of CIFAR-10 have this size.
load, resize, pack = (
    dict(type='mmdrloc.LoadImage'),
    dict(type='mmpretrain.Resize', scale=32),
    dict(type='mmpretrain.PackInputs'),
)
shift = dict(type='mmpretrain.RandomCrop', crop_size=32, padding=4)
flip = dict(type='mmpretrain.RandomFlip', prob=0.5, direction='horizontal')

train_dataloader = dict(
    batch_size=128,
    num_workers=0,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(
        _base_.train_dataset, pipeline=[load, resize, shift, flip, pack]
    ),
)
val_dataloader = dict(
    batch_size=250,
    num_workers=0,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(_base_.val_dataset, pipeline=[load, resize, pack]),
)
val_evaluator = dict(type='mmpretrain.Accuracy', topk=1)
test_dataloader = val_dataloader
test_evaluator = val_evaluator
del load, resize, pack, shift, flip

optim_wrapper = dict(
    optimizer=dict(type='AdamW', lr=2e-3, weight_decay=0.05),
    paramwise_cfg=dict(norm_decay_mult=0.0, bias_decay_mult=0.0),
    clip_grad=dict(max_norm=5.0),
)
param_scheduler = [
    dict(
        type='LinearLR',
        start_factor=0.01,
        by_epoch=True,
        end=3,
        convert_to_iter_based=True,
    ),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        begin=3,
        convert_to_iter_based=True,
    ),
]
train_cfg = dict(by_epoch=True, max_epochs=25, val_interval=5)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=128)
