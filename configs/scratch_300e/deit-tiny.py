# DeiT-Tiny in 300 epochs at 224 pixels, from random weights or IDMM's.
# Train: python tools/train.py configs/scratch_300e/deit-tiny.py \
#      --dataset imagenet-1k
# Published: 72.2 top-1 on ImageNet-1K from random
_base_ = '../scratch_100e/deit-tiny.py'

train_cfg = dict(max_epochs=300)
