# ResNet-50 from scratch in 100 epochs, without DRLoc.
#
# Train: python tools/train.py configs/scratch_100e/resnet-50.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/scratch_100e/resnet-50.py 8 \
#            --dataset cifar10
# Published: Table 4 of the paper, by data set: README.md.
# Measured: not measured.
_base_ = [
    '../_base_/models/resnet-50.py',
    '../_base_/protocols/scratch_100e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
