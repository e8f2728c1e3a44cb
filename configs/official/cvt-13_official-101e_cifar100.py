# CvT-13 on CIFAR-100 as the official code runs it: baseline.
#
# Data:  python tools/dataset_converters/prepare.py cifar100
# Train: python tools/train.py \
#     configs/official/cvt-13_official-101e_cifar100.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/official/cvt-13_official-101e_cifar100.py 8
# Variant of: cvt-13_100e_cifar100.py
# Note: no drop path, as the official code; the network's authors have 0.1.
# Measured: not measured.
_base_ = [
    '../_base_/models/cvt-13_official.py',
    '../_base_/former_datasets/cifar100.py',
    '../_base_/schedules/official_101e_cvt.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=100))
