# T2T-ViT-14 on CIFAR-100 from scratch in 100 epochs: DRLoc, MLP of 256
# channels.
#
# Data:  python tools/dataset_converters/prepare.py cifar100
# Train: python tools/train.py \
#     configs/scratch_100e/t2t-vit-14_drloc-mlp256_100e_cifar100.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/t2t-vit-14_drloc-mlp256_100e_cifar100.py 8
# Published: 66.49 % top-1 (supplement, Table 16).
# Measured: not measured.
_base_ = './t2t-vit-14_drloc_100e_cifar100.py'

model = dict(auxiliary_head=dict(hidden_channels=256))
