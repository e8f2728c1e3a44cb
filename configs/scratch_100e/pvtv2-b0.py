# PVTv2-B0 in 100 epochs at 224 pixels: from random weights, or from those that
# --weights names (of an IDMM training: work_dirs/idmm_pvtv2-b0_sin-10k).
#
# Train: python tools/train.py configs/scratch_100e/pvtv2-b0.py \
#            --dataset imagenet-1k
# 8 GPUs: bash tools/dist_train.sh configs/scratch_100e/pvtv2-b0.py 8 \
#            --dataset imagenet-1k
# Published: IDMM poster, Table "ImageNet", by weights: README.md.
# Note: the poster does not give the recipe; ours is that of the DRLoc paper's
#     experiments.
# Measured: not measured.
_base_ = [
    '../_base_/models/pvtv2-b0.py',
    '../_base_/protocols/scratch_100e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
