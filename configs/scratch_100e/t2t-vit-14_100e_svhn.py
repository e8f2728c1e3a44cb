# T2T-ViT-14 on SVHN from scratch in 100 epochs: baseline.
#
# Data:  python tools/dataset_converters/prepare.py svhn
# Train: python tools/train.py \
#     configs/scratch_100e/t2t-vit-14_100e_svhn.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/t2t-vit-14_100e_svhn.py 8
# Published: 95.36 % top-1 (main paper, Table 4).
# Measured: not measured.
_base_ = [
    '../_base_/models/t2t-vit-14.py',
    '../_base_/datasets/svhn_uncropped.py',
    '../_base_/schedules/scratch_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=10))
