# Swin-T on CIFAR-100 from scratch in 100 epochs: DRLoc.
#
# Data:  python tools/dataset_converters/prepare.py cifar100
# Train: python tools/train.py \
#     configs/scratch_100e/swin-tiny_drloc_100e_cifar100.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/swin-tiny_drloc_100e_cifar100.py 8
# Published: 66.23 % top-1 (main paper, Table 2a).
# Published: 66.23 % top-1 (main paper, Table 2b).
# Published: 66.23 % top-1 (+12.95; main paper, Table 4).
# Published: 66.23 % top-1 (supplement, Table 16).
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny_drloc.py',
    '../_base_/former_datasets/cifar100_uncropped.py',
    '../_base_/schedules/scratch_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=100))
