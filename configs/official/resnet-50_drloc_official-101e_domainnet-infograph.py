# ResNet-50 on DomainNet Infograph as the official code runs it: DRLoc.
#
# Data:  python tools/dataset_converters/prepare.py domainnet-infograph
# Train: python tools/train.py \
#     configs/official/resnet-50_drloc_official-101e_domainnet-infograph.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/official/resnet-50_drloc_official-101e_domainnet-infograph.py 8
# Variant of: resnet-50_drloc_100e_domainnet-infograph.py
# Measured: not measured.
_base_ = [
    '../_base_/models/resnet-50_drloc-official.py',
    '../_base_/former_datasets/domainnet_infograph.py',
    '../_base_/schedules/official_101e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=345))
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]
