# ViT-B/16 on CIFAR-100 from scratch in 100 epochs: baseline.
#
# Data:  python tools/dataset_converters/prepare.py cifar100
# Train: python tools/train.py \
#     configs/scratch_100e/vit-b16_100e_cifar100.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/vit-b16_100e_cifar100.py 8
# Published: 59.67 % top-1 (supplement, Table 9).
# Note: 86.4 M parameters are stated for ViT-B/16; the released class has 85.78
#     M with 10 classes, 85.85 M with 100.
# Measured: not measured.
_base_ = [
    '../_base_/models/vit-b16.py',
    '../_base_/former_datasets/cifar100_uncropped.py',
    '../_base_/schedules/scratch_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=100))
