# Swin-T on CIFAR-100 from scratch in 100 epochs: baseline.
#
# Data:  python tools/dataset_converters/prepare.py cifar100
# Train: python tools/train.py \
#     configs/scratch_100e/swin-tiny_100e_cifar100.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/swin-tiny_100e_cifar100.py 8
# Published: 53.28 % top-1 (main paper, Table 2a).
# Published: 53.28 % top-1 (main paper, Table 2b).
# Published: 53.28 % top-1 (main paper, Table 4).
# Note: this baseline could not be reproduced; others got 75.0 to 86.2 on
#     CIFAR-10, 52.3 and 62.3 on CIFAR-100, 38.1 and 91.3 on SVHN with the
#     official code and other batches, and the authors' own later pair on
#     CIFAR-10 is 86.17 without and 88.29 with DRLoc.
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny.py',
    '../_base_/datasets/cifar100_uncropped.py',
    '../_base_/schedules/scratch_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=100))
