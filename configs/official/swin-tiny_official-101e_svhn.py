# Swin-T on SVHN as the official code runs it: baseline.
#
# Data:  python tools/dataset_converters/prepare.py svhn
# Train: python tools/train.py \
#     configs/official/swin-tiny_official-101e_svhn.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/official/swin-tiny_official-101e_svhn.py 8
# Variant of: swin-tiny_100e_svhn.py
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny.py',
    '../_base_/former_datasets/svhn.py',
    '../_base_/schedules/official_101e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=10))
