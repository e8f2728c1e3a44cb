# ViT-B/16 from scratch in 100 epochs, without DRLoc.
#
# Train: python tools/train.py configs/scratch_100e/vit-b16.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/scratch_100e/vit-b16.py 8 \
#            --dataset cifar10
# Published: Table 9 of the supplement, by data set: README.md.
# Note: 86.4 M parameters are stated for ViT-B/16; the released class has 85.78
#     M with 10 classes, 85.85 M with 100.
# Measured: not measured.
_base_ = [
    '../_base_/models/vit-b16.py',
    '../_base_/protocols/scratch_100e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
