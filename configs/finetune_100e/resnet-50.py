# ResNet-50 from ImageNet-1K weights in 100 epochs, without DRLoc.
#
# Needs: https://download.pytorch.org/models/
#            resnet50-0676ba61.pth
# Train: python tools/train.py configs/finetune_100e/resnet-50.py \
#            --dataset cifar10 \
#            --weights resnet50-0676ba61.pth
# 8 GPUs: bash tools/dist_train.sh configs/finetune_100e/resnet-50.py 8 \
#            --dataset cifar10 \
#            --weights resnet50-0676ba61.pth
# Published: Table 5 of the paper, by data set: README.md.
# Measured: not measured.
_base_ = [
    '../_base_/models/resnet-50.py',
    '../_base_/protocols/finetune_100e.py',
]

model = dict(
    backbone=dict(init_cfg=dict(type='Pretrained', prefix='backbone.')),
    head=dict(num_classes=_base_.num_classes),
)
