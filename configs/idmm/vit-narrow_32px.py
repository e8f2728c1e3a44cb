# vit-narrow_56px.py for photos of 32 pixels, which may be mirrored.
#
# Data: data/cifar10_photos/{train,test}/<class>/* (README.md)
# Weights: python tools/train.py configs/idmm/idmm_vit-narrow_16px.py
# Train: python tools/train.py configs/idmm/vit-narrow_32px.py \
#      --weights work_dirs/idmm_vit-narrow_16px_cifar10-500
# Measured: with --dataset cifar10-500, 32.01 ± 0.58 % top-1 after 800 updates
#     (seeds 0, 1, 2); from the weights, 34.46 ± 0.44.
_base_ = './vit-narrow_56px.py'

model = dict(backbone=dict(img_size=32, patch_size=4))

dataset_name = 'cifar10-500'
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='RandomResizedCrop', scale=32, crop_ratio_range=(0.3, 1.0)),
    dict(type='RandomFlip', prob=0.5),
    dict(type='PackInputs'),
]
test_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='Resize', scale=32),
    dict(type='PackInputs'),
]
train_dataloader = dict(
    dataset=dict(
        _delete_=True,
        type='CustomDataset',
        data_root='data/cifar10_photos',
        data_prefix='train',
        # Sorted by class: every hundredth.
        indices=list(range(0, 50000, 100)),
        pipeline=train_pipeline,
    )
)
val_dataloader = dict(
    batch_size=250,
    dataset=dict(
        _delete_=True,
        type='CustomDataset',
        data_root='data/cifar10_photos',
        data_prefix='test',
        pipeline=test_pipeline,
    ),
)
test_dataloader = val_dataloader
train_cfg = dict(val_interval=40)
default_hooks = dict(logger=dict(interval=20))
