# Swin-T on ImageNet-100 from scratch in 100 epochs: DRLoc, signed offsets.
#
# Data:  python tools/dataset_converters/prepare.py imagenet-100
# Train: python tools/train.py \
#     configs/scratch_100e/swin-tiny_drloc-signed_100e_imagenet-100.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/swin-tiny_drloc-signed_100e_imagenet-100.py 8
# Published: 83.14 % top-1 (+0.38; supplement, Table 6).
# Measured: not measured.
_base_ = './swin-tiny_drloc_100e_imagenet-100.py'

model = dict(auxiliary_head=dict(loss=dict(signed=True)))
