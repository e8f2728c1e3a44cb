# Swin-T on ImageNet-100 from scratch in 300 epochs: baseline.
#
# Data:  python tools/dataset_converters/prepare.py imagenet-100
# Train: python tools/train.py \
#     configs/scratch_300e/swin-tiny_300e_imagenet-100.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_300e/swin-tiny_300e_imagenet-100.py 8
# Published: 89.68 % top-1 (main paper, Table 3).
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny.py',
    '../_base_/former_datasets/imagenet100.py',
    '../_base_/schedules/scratch_300e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=100))
