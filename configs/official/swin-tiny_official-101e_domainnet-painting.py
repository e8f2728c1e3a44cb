# Swin-T on DomainNet Painting as the official code runs it: baseline.
#
# Data:  python tools/dataset_converters/prepare.py domainnet-painting
# Train: python tools/train.py \
#     configs/official/swin-tiny_official-101e_domainnet-painting.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/official/swin-tiny_official-101e_domainnet-painting.py 8
# Variant of: swin-tiny_100e_domainnet-painting.py
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny.py',
    '../_base_/former_datasets/domainnet_painting.py',
    '../_base_/schedules/official_101e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=345))
