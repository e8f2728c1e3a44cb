# T2T-ViT-14 on DomainNet Painting as the official code runs it: DRLoc.
#
# Data:  python tools/dataset_converters/prepare.py domainnet-painting
# Train: python tools/train.py \
#     configs/official/t2t-vit-14_drloc_official-101e_domainnet-painting.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/official/t2t-vit-14_drloc_official-101e_domainnet-painting.py 8
# Variant of: t2t-vit-14_drloc_100e_domainnet-painting.py
# Note: no drop path, as the official code; the network's authors have 0.1.
# Measured: not measured.
_base_ = [
    '../_base_/models/t2t-vit-14_drloc-official.py',
    '../_base_/former_datasets/domainnet_painting.py',
    '../_base_/schedules/official_101e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=345))
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]
