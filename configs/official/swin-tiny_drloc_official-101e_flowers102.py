# Swin-T on Flowers102 as the official code runs it: DRLoc.
#
# Data:  python tools/dataset_converters/prepare.py flowers102
# Train: python tools/train.py \
#     configs/official/swin-tiny_drloc_official-101e_flowers102.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/official/swin-tiny_drloc_official-101e_flowers102.py 8
# Variant of: swin-tiny_drloc_100e_flowers102.py
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny_drloc-official.py',
    '../_base_/former_datasets/flowers102.py',
    '../_base_/schedules/official_101e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=102))
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]
