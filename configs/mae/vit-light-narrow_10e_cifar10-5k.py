# A narrow ViT on 5,000 CIFAR-10 images from random weights, 10 epochs.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Train: python tools/train.py \
#     configs/mae/vit-light-narrow_10e_cifar10-5k.py
# Published: none.
# Measured: 39.04 ± 1.10 % top-1 after 780 updates (seeds 0, 1, 2).
_base_ = [
    '../_base_/models/vit-light.py',
    '../_base_/datasets/cifar10_5k.py',
    '../_base_/schedules/mae_finetune_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(
    backbone=dict(
        arch=dict(
            embed_dims=96,
            num_layers=6,
            num_heads=3,
            feedforward_channels=192,
        ),
        img_size=32,
        patch_size=4,
        drop_path_rate=0.0,
    ),
    head=dict(num_classes=10, in_channels=96),
    # A short training has no use for mixed images.
    train_cfg=None,
)

optim_wrapper = dict(optimizer=dict(lr=1e-3))
param_scheduler = [
    dict(
        type='LinearLR',
        start_factor=1e-3,
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
train_cfg = dict(max_epochs=10, val_interval=5)
auto_scale_lr = dict(base_batch_size=64)
