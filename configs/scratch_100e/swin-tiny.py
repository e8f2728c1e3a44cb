# Swin-T from scratch in 100 epochs, without DRLoc.
#
# Train: python tools/train.py configs/scratch_100e/swin-tiny.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/scratch_100e/swin-tiny.py 8 \
#            --dataset cifar10
# Published: Tables 2-4 of the main paper, by data set: README.md.
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny.py',
    '../_base_/protocols/scratch_100e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
