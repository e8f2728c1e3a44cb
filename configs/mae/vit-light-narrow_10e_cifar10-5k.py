# A narrow ViT on 5,000 CIFAR-10 images from random weights, 10 epochs.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Train: python tools/train.py \
#     configs/mae/vit-light-narrow_10e_cifar10-5k.py
# Published: none.
# Measured: 39.04 ± 1.10 % top-1 after 780 updates (seeds 0, 1, 2).
_base_ = [
    '../_base_/models/vit-light-narrow.py',
    '../_base_/former_datasets/cifar10_5k.py',
    '../_base_/schedules/mae_finetune_two-cores.py',
    '../_base_/cls_runtime.py',
]

model = dict(backbone=dict(img_size=32, patch_size=4))

train_cfg = dict(max_epochs=10, val_interval=5)
auto_scale_lr = dict(base_batch_size=64)
