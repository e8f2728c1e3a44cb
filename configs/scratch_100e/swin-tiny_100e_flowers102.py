# Swin-T on Flowers102 from scratch in 100 epochs: baseline.
#
# Data:  python tools/dataset_converters/prepare.py flowers102
# Train: python tools/train.py \
#     configs/scratch_100e/swin-tiny_100e_flowers102.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/swin-tiny_100e_flowers102.py 8
# Published: 34.51 % top-1 (main paper, Table 4).
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny.py',
    '../_base_/former_datasets/flowers102.py',
    '../_base_/schedules/scratch_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=102))
