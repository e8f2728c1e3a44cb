# ResNet-50 on DomainNet Real as the official code runs it: DRLoc.
#
# Data:  python tools/dataset_converters/prepare.py domainnet-real
# Train: python tools/train.py \
#     configs/official/resnet-50_drloc_official-101e_domainnet-real.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/official/resnet-50_drloc_official-101e_domainnet-real.py 8
# Variant of: resnet-50_drloc_100e_domainnet-real.py
# Measured: not measured.
_base_ = [
    '../_base_/models/resnet-50_drloc-official.py',
    '../_base_/former_datasets/domainnet_real.py',
    '../_base_/schedules/official_101e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=345))
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]
