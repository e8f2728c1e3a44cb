# Swin-T on ImageNet-100 as the official code runs it: DRLoc, cross-entropy.
#
# Data:  python tools/dataset_converters/prepare.py imagenet-100
# Train: python tools/train.py \
#     configs/official/swin-tiny_drloc-ce_official-101e_imagenet-100.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/official/swin-tiny_drloc-ce_official-101e_imagenet-100.py 8
# Variant of: swin-tiny_drloc-ce_100e_imagenet-100.py
# Measured: not measured.
_base_ = './swin-tiny_drloc_official-101e_imagenet-100.py'

model = dict(
    auxiliary_head=dict(
        grid_size=(7, 7), loss=dict(type='mmdrloc.DRLocCrossEntropyLoss')
    )
)
