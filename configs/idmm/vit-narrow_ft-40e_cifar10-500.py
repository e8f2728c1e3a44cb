# A narrow ViT on 500 CIFAR-10 images from random weights, fine-tuned as IDMM
# is.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Train: python tools/train.py \
#     configs/idmm/vit-narrow_ft-40e_cifar10-500.py
# Published: none, our own demo data.
# Measured: 32.01 ± 0.58 % top-1 after 800 updates (seeds 0, 1, 2).
_base_ = [
    '../_base_/models/vit-narrow.py',
    '../_base_/former_datasets/cifar10_500.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/idmm_finetune.py',
]

model = dict(backbone=dict(img_size=32, patch_size=4))
pipeline = [
    dict(type='LoadImageFromFile'),
    dict(
        type='mmpretrain.RandomResizedCrop',
        scale=32,
        crop_ratio_range=(0.3, 1.0),
    ),
    dict(type='mmpretrain.RandomFlip', prob=0.5),
    dict(type='mmpretrain.PackInputs'),
]
train_dataloader = dict(
    batch_size=25, drop_last=True, dataset=dict(pipeline=pipeline)
)
train_cfg = dict(max_epochs=40, val_interval=40)
auto_scale_lr = dict(base_batch_size=25)
default_hooks = dict(logger=dict(interval=20))
