# PVTv2-B0 in 300 epochs at 224 pixels: from random weights, or from those that
# --weights names (of an IDMM training: work_dirs/idmm_pvtv2-b0_sin-10k).
#
# Train: python tools/train.py configs/scratch_300e/pvtv2-b0.py \
#            --dataset imagenet-1k
# 8 GPUs: bash tools/dist_train.sh configs/scratch_300e/pvtv2-b0.py 8 \
#            --dataset imagenet-1k
# Published: IDMM poster, Table "ImageNet", by weights: README.md.
# Note: the poster does not give the recipe; ours is that of the DRLoc paper's
#     experiments.
# Note: the poster has two pairs of 300 epochs under DeiT-Tiny; the one of 70.0
#     and 70.9 is almost surely that of PVTv2-B0.
# Measured: not measured.
_base_ = [
    '../_base_/models/pvtv2-b0.py',
    '../_base_/protocols/scratch_300e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
