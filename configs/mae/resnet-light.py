# A ResNet of the light ViT's size from random weights, 100 epochs at 36
# pixels.
#
# Train: python tools/train.py configs/mae/resnet-light.py \
#     --dataset cifar10
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/resnet-light.py',
    '../_base_/protocols/mae_finetune.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
