# SimCLR before vit-4layers.py, for the time of 750 of its updates: 2 epochs.
# Train: mmdrloc train evidence/simclr_vit-4layers --dataset cifar10-5k
# Two views of 32 px an image, without blur.
# Measured: docs/pretraining.md.
_base_ = [
    '../_base_/models/vit-4layers.py',
    '../_base_/datasets/flowers102_bs64_idmm_112.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/default_runtime.py',
]
model = dict(
    type='SimCLR',
    neck=dict(
        type='NonLinearNeck',
        in_channels=96,
        hid_channels=96,
        out_channels=128,
        num_layers=2,
        with_avg_pool=False,
    ),
    head=dict(
        _delete_=True,
        type='ContrastiveHead',
        loss=dict(type='CrossEntropyLoss'),
        temperature=0.2,  # mmpretrain's recipes have 0.1
    ),
)

dataset_name = 'cifar10-5k'
crop = dict(
    type='RandomResizedCrop',
    scale=32,
    crop_ratio_range=(0.2, 1.0),
    backend='pillow',
)
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='MultiView',
        num_views=2,
        transforms=[[crop, _base_.flip, _base_.jitter, _base_.gray]],
    ),
    dict(type='PackInputs'),
]
train_dataloader = dict(
    batch_size=128,
    num_workers=0,
    persistent_workers=False,
    drop_last=True,
    dataset=dict(
        _delete_=True,
        type='mmdrloc.FolderSample',
        data_root='data/cifar10_photos',
        data_prefix='train',
        num_images=5000,
        seed=0,
        pipeline=train_pipeline,
    ),
)

param_scheduler = [
    dict(
        type='LinearLR', start_factor=1e-3, end=1, convert_to_iter_based=True
    ),
    dict(type='CosineAnnealingLR', begin=1, convert_to_iter_based=True),
]
train_cfg = dict(max_epochs=2)
auto_scale_lr = dict(base_batch_size=128)
default_hooks = dict(checkpoint=dict(interval=20), logger=dict(interval=20))
