# Swin-T on ImageNet-100 as the official code runs it: DRLoc on every stage
# (`use_multiscale`).
#
# Data:  python tools/dataset_converters/prepare.py imagenet-100
# Train: python tools/train.py \
#     configs/official/swin-tiny_drloc-stages_official-101e_imagenet-100.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/official/swin-tiny_drloc-stages_official-101e_imagenet-100.py 8
# Variant of: swin-tiny_drloc-all_100e_imagenet-100.py
# Measured: not measured.
_base_ = './swin-tiny_drloc_official-101e_imagenet-100.py'

model = dict(
    auxiliary_head=dict(
        source=['stages.[012].downsample', 'stages.3'],
        in_channels=[192, 384, 768, 768],
    )
)
