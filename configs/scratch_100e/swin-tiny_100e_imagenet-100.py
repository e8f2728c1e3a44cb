# Swin-T on ImageNet-100 from scratch in 100 epochs: baseline.
#
# Data:  python tools/dataset_converters/prepare.py imagenet-100
# Train: python tools/train.py \
#     configs/scratch_100e/swin-tiny_100e_imagenet-100.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/swin-tiny_100e_imagenet-100.py 8
# Published: 82.66 % top-1 (+- 0.1 over 5 seeds; main paper, Table 3).
# Published: 82.76 % top-1 (supplement, Table 6).
# Note: Table 6 is a single run (82.76 and 84.02), Table 3 the mean of five
#     (82.66 and 83.95).
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny.py',
    '../_base_/former_datasets/imagenet100.py',
    '../_base_/schedules/scratch_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=100))
