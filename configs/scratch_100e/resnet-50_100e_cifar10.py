# ResNet-50 on CIFAR-10 from scratch in 100 epochs: baseline.
#
# Data:  python tools/dataset_converters/prepare.py cifar10
# Train: python tools/train.py \
#     configs/scratch_100e/resnet-50_100e_cifar10.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/resnet-50_100e_cifar10.py 8
# Published: 91.78 % top-1 (main paper, Table 4).
# Measured: not measured.
_base_ = [
    '../_base_/models/resnet-50.py',
    '../_base_/former_datasets/cifar10_uncropped.py',
    '../_base_/schedules/scratch_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=10))
