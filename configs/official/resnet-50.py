# ResNet-50 as the official code trains it, without DRLoc.
#
# Train: python tools/train.py configs/official/resnet-50.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/official/resnet-50.py 8 \
#            --dataset cifar10
# Published: none; the published recipe is configs/scratch_100e/resnet-50.py.
# Measured: not measured.
_base_ = [
    '../_base_/models/resnet-50.py',
    '../_base_/protocols/official_101e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
