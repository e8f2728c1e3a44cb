# Swin-T on ImageNet-100 from scratch in 100 epochs: DRLoc on every block.
#
# Data:  python tools/dataset_converters/prepare.py imagenet-100
# Train: python tools/train.py \
#     configs/scratch_100e/swin-tiny_drloc-all_100e_imagenet-100.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/swin-tiny_drloc-all_100e_imagenet-100.py 8
# Published: 81.88 % top-1 (-0.88; supplement, Table 6).
# Note: a drop of 0.88; sections 1 and 6 say that DRLoc always improves, the
#     supplement that this is the only variant which underperforms.
# Measured: not measured.
_base_ = './swin-tiny_drloc_100e_imagenet-100.py'

model = dict(
    auxiliary_head=dict(
        source='stages.*.blocks.*',
        in_channels=[96] * 2 + [192] * 2 + [384] * 6 + [768] * 2,
    )
)
