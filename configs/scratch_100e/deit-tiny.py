# DeiT-Tiny in 100 epochs: from random weights, or from those of a
# pre-training. The poster does not give the recipe of its rows; ours is that
# of this folder.
#
# Weights: python tools/train.py \
#     configs/idmm/pretrain/idmm_deit-tiny.py --dataset sin-10k
# Train: python tools/train.py configs/scratch_100e/deit-tiny.py \
#     --dataset imagenet-1k --weights work_dirs/idmm_deit-tiny_sin-10k
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/deit-tiny.py 8 --dataset imagenet-1k \
#     --weights work_dirs/idmm_deit-tiny_sin-10k
# Published: IDMM's poster, "ImageNet": ../idmm/README.md.
# Measured: not measured.
_base_ = [
    '../_base_/models/deit-tiny.py',
    '../_base_/protocols/scratch_100e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
