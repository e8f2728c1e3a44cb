# A narrow ViT at 32 pixels in 10 epochs on two cores: from random weights, or
# from those of the masked auto-encoder.
#
# Data: data/cifar10_photos/{train,test}/<class>/* (README.md)
# Weights: python tools/train.py \
#     configs/mae/mae_vit-light-narrow.py --dataset cifar10-5k
# Train: python tools/train.py configs/mae/vit-light-narrow.py \
#     --dataset cifar10-5k --weights work_dirs/mae_vit-light-narrow_cifar10-5k
# Published: none.
# Measured: with --dataset cifar10-5k, 39.04 ± 1.10 % top-1 after 780 updates
#     (seeds 0, 1, 2); from the weights, 49.76 ± 0.68.
_base_ = [
    '../_base_/models/vit-light-narrow.py',
    '../_base_/protocols/mae_finetune_two-cores.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
