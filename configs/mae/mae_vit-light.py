# The lightweight ViT as a masked auto-encoder of images of 36 pixels: 2000
# epochs.
#
# Train: python tools/train.py configs/mae/mae_vit-light.py \
#     --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh \
#     configs/mae/mae_vit-light.py 8 --dataset cifar10
# Published: none for the pre-training itself.
# Measured: not measured.
_base_ = [
    '../_base_/models/mae_vit-light.py',
    '../_base_/protocols/mae_pretrain.py',
]
