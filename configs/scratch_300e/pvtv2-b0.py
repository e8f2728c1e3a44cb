# PVTv2-B0 in 300 epochs at 224 pixels, from random weights or IDMM's.
# Train: python tools/train.py configs/scratch_300e/pvtv2-b0.py \
#      --dataset imagenet-1k
# Published: 70 top-1 on ImageNet-1K from random
_base_ = '../scratch_100e/pvtv2-b0.py'

train_cfg = dict(max_epochs=300)
