# ResNet-50 on DomainNet Painting as the official code runs it: baseline.
#
# Data:  python tools/dataset_converters/prepare.py domainnet-painting
# Train: python tools/train.py \
#     configs/official/resnet-50_official-101e_domainnet-painting.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/official/resnet-50_official-101e_domainnet-painting.py 8
# Variant of: resnet-50_100e_domainnet-painting.py
# Measured: not measured.
_base_ = [
    '../_base_/models/resnet-50.py',
    '../_base_/former_datasets/domainnet_painting.py',
    '../_base_/schedules/official_101e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=345))
