# PVTv2-B0 in 300 epochs at 224 pixels, from random weights or IDMM's.
# Train with: --dataset imagenet-1k
_base_ = '../scratch_100e/pvtv2-b0.py'

train_cfg = dict(max_epochs=300)
