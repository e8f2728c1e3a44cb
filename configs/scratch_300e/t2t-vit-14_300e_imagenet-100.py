# T2T-ViT-14 on ImageNet-100 from scratch in 300 epochs: baseline.
#
# Data:  python tools/dataset_converters/prepare.py imagenet-100
# Train: python tools/train.py \
#     configs/scratch_300e/t2t-vit-14_300e_imagenet-100.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_300e/t2t-vit-14_300e_imagenet-100.py 8
# Published: 87.76 % top-1 (main paper, Table 3).
# Measured: not measured.
_base_ = [
    '../_base_/models/t2t-vit-14.py',
    '../_base_/datasets/imagenet100.py',
    '../_base_/schedules/scratch_300e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=100))
