# DeiT-Tiny on ImageNet-1K at 224 pixels in 100 epochs, from random weights.
#
# Data:  python tools/dataset_converters/prepare.py imagenet-1k
# Train: python tools/train.py \
#     configs/idmm_imagenet/deit-tiny_100e_imagenet-1k.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/idmm_imagenet/deit-tiny_100e_imagenet-1k.py 8
# Published: 66.8 % top-1 (IDMM poster, Table "ImageNet").
# Note: the poster does not give the recipe; ours is that of scratch_100e and
#     scratch_300e.
# Measured: not measured.
_base_ = [
    '../_base_/models/deit-tiny.py',
    '../_base_/former_datasets/imagenet1k.py',
    '../_base_/schedules/scratch_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=1000))
