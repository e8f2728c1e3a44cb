# Swin-T as the official code trains it, without DRLoc.
#
# Train: python tools/train.py configs/official/swin-tiny.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/official/swin-tiny.py 8 \
#            --dataset cifar10
# Published: none; the published recipe is configs/scratch_100e/swin-tiny.py.
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny.py',
    '../_base_/protocols/official_101e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
