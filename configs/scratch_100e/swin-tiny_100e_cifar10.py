# Swin-T on CIFAR-10 from scratch in 100 epochs: baseline.
#
# Data:  python tools/dataset_converters/prepare.py cifar10
# Train: python tools/train.py \
#     configs/scratch_100e/swin-tiny_100e_cifar10.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/swin-tiny_100e_cifar10.py 8
# Published: 59.47 % top-1 (main paper, Table 4).
# Note: this baseline varies with the number of GPUs. On 8, as in the official
#     script, a user of that code got 75.00 on CIFAR-10, 52.26 on CIFAR-100
#     (the paper 53.28) and 38.10 on SVHN, on 4 GPUs 81.91, 62.30 and 91.29;
#     the authors' own later pair on CIFAR-10, one GPU with 128 images, is
#     86.17 without and 88.29 with DRLoc.
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny.py',
    '../_base_/former_datasets/cifar10_uncropped.py',
    '../_base_/schedules/scratch_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=10))
