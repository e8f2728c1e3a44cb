# T2T-ViT-14 as the official code trains it, without DRLoc.
#
# Train: python tools/train.py configs/official/t2t-vit-14.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/official/t2t-vit-14.py 8 \
#            --dataset cifar10
# Published: none; the published recipe is configs/scratch_100e/t2t-vit-14.py.
# Note: no drop path, as the official code; the network's authors have 0.1.
# Measured: not measured.
_base_ = [
    '../_base_/models/t2t-vit-14.py',
    '../_base_/protocols/official_101e.py',
]

model = dict(
    backbone=dict(drop_path_rate=0.0),
    head=dict(num_classes=_base_.num_classes),
)
