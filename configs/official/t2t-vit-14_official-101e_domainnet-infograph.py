# T2T-ViT-14 on DomainNet Infograph as the official code runs it: baseline.
#
# Data:  python tools/dataset_converters/prepare.py domainnet-infograph
# Train: python tools/train.py \
#     configs/official/t2t-vit-14_official-101e_domainnet-infograph.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/official/t2t-vit-14_official-101e_domainnet-infograph.py 8
# Variant of: t2t-vit-14_100e_domainnet-infograph.py
# Note: no drop path, as the official code; the network's authors have 0.1.
# Measured: not measured.
_base_ = [
    '../_base_/models/t2t-vit-14_official.py',
    '../_base_/former_datasets/domainnet_infograph.py',
    '../_base_/schedules/official_101e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=345))
