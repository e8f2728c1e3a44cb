# ResNet-50 from scratch in 300 epochs, without DRLoc.
#
# Train: python tools/train.py configs/scratch_300e/resnet-50.py \
#            --dataset domainnet-infograph
# 8 GPUs: bash tools/dist_train.sh configs/scratch_300e/resnet-50.py 8 \
#            --dataset domainnet-infograph
# Published: Table 8 of the supplement, by data set: README.md.
# Measured: not measured.
_base_ = [
    '../_base_/models/resnet-50.py',
    '../_base_/protocols/scratch_300e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
