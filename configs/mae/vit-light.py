# The lightweight ViT in 100 epochs at 36 pixels: from random weights, or from
# those of the masked auto-encoder.
#
# Weights: python tools/train.py \
#     configs/mae/mae_vit-light.py --dataset cifar10
# Train: python tools/train.py configs/mae/vit-light.py \
#     --dataset cifar10 --weights work_dirs/mae_vit-light_cifar10
# Published: from the masked auto-encoder, 96.41 % top-1 on CIFAR-10 and 78.27
#     on CIFAR-100 (arXiv:2402.03752; its recipe is not known).
# Measured: not measured.
_base_ = [
    '../_base_/models/vit-light.py',
    '../_base_/protocols/mae_finetune.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
