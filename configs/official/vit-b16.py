# ViT-B/16 as the official code trains it, without DRLoc.
#
# Train: python tools/train.py configs/official/vit-b16.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/official/vit-b16.py 8 \
#            --dataset cifar10
# Published: none; the published recipe is configs/scratch_100e/vit-b16.py.
# Measured: not measured.
_base_ = [
    '../_base_/models/vit-b16.py',
    '../_base_/protocols/official_101e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
