# PVTv2-B0 in 300 epochs: from random weights, or from those of a pre-training.
# The poster does not give the recipe of its rows; ours is that of this folder.
#
# Weights: python tools/train.py \
#     configs/idmm/pretrain/idmm_pvtv2-b0.py --dataset sin-10k
# Train: python tools/train.py configs/scratch_300e/pvtv2-b0.py \
#     --dataset imagenet-1k --weights work_dirs/idmm_pvtv2-b0_sin-10k
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_300e/pvtv2-b0.py 8 --dataset imagenet-1k \
#     --weights work_dirs/idmm_pvtv2-b0_sin-10k
# Published: IDMM's poster, "ImageNet": ../idmm/README.md.
# Measured: not measured.
_base_ = [
    '../_base_/models/pvtv2-b0.py',
    '../_base_/protocols/scratch_300e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
