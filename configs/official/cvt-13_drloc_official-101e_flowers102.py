# CvT-13 on Flowers102 as the official code runs it: DRLoc.
#
# Data:  python tools/dataset_converters/prepare.py flowers102
# Train: python tools/train.py \
#     configs/official/cvt-13_drloc_official-101e_flowers102.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/official/cvt-13_drloc_official-101e_flowers102.py 8
# Variant of: cvt-13_drloc_100e_flowers102.py
# Note: no drop path, as the official code; the network's authors have 0.1.
# Measured: not measured.
_base_ = [
    '../_base_/models/cvt-13_drloc-official.py',
    '../_base_/former_datasets/flowers102.py',
    '../_base_/schedules/official_101e_cvt.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=102))
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]
