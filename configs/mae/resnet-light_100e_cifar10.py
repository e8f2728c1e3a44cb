# ResNet of the light ViT's size on CIFAR-10 from random weights, 100 epochs.
#
# Data:  python tools/dataset_converters/prepare.py cifar10
# Train: python tools/train.py \
#     configs/mae/resnet-light_100e_cifar10.py
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/resnet-light.py',
    '../_base_/former_datasets/cifar10_36px.py',
    '../_base_/schedules/mae_finetune_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=10))
