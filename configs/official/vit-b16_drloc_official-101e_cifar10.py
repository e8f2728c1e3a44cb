# ViT-B/16 on CIFAR-10 as the official code runs it: DRLoc.
#
# Data:  python tools/dataset_converters/prepare.py cifar10
# Train: python tools/train.py \
#     configs/official/vit-b16_drloc_official-101e_cifar10.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/official/vit-b16_drloc_official-101e_cifar10.py 8
# Variant of: vit-b16_drloc_100e_cifar10.py
# Measured: not measured.
_base_ = [
    '../_base_/models/vit-b16_drloc-official.py',
    '../_base_/former_datasets/cifar10.py',
    '../_base_/schedules/official_101e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=10))
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]
