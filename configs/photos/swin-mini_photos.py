# Swin-mini on your own photos without DRLoc.
#
# Data:  data/photos/{train,val}/<class>/*
# Train: python tools/train.py configs/photos/swin-mini_photos.py
# Published: none, the data are yours.
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-mini.py',
    '../_base_/former_datasets/cifar10_photos.py',
    '../_base_/cls_runtime.py',
]

dataset_name = 'photos'
data_root = 'data/photos'
# Photos of any shape: the short side, then the middle.
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(
        type='mmpretrain.ResizeEdge',
        scale=72,
        edge='short',
        interpolation='bicubic',
    ),
    dict(type='mmpretrain.CenterCrop', crop_size=64),
    dict(type='mmpretrain.PackInputs'),
]
train_dataloader = dict(batch_size=16, dataset=dict(data_root=data_root))
val_dataloader = dict(
    dataset=dict(
        data_root=data_root, data_prefix='val', pipeline=test_pipeline
    )
)
test_dataloader = val_dataloader

model = dict(
    type='ImageClassifier',
    backbone=dict(**_base_.swin_mini, out_indices=(3,)),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(
        type='LinearClsHead',
        num_classes=2,
        in_channels=256,
        loss=dict(type='CrossEntropyLoss'),
    ),
)
data_preprocessor = dict(num_classes=None)

optim_wrapper = dict(optimizer=dict(type='AdamW', lr=5e-4, weight_decay=0.05))
param_scheduler = [
    dict(
        type='LinearLR',
        start_factor=0.01,
        by_epoch=True,
        end=2,
        convert_to_iter_based=True,
    ),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        begin=2,
        convert_to_iter_based=True,
    ),
]
train_cfg = dict(by_epoch=True, max_epochs=30, val_interval=1)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=16)
