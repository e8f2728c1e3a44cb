# T2T-ViT-14 on CIFAR-100 from scratch in 100 epochs: DRLoc, lambda 0.5.
#
# Data:  python tools/dataset_converters/prepare.py cifar100
# Train: python tools/train.py \
#     configs/scratch_100e/t2t-vit-14_drloc-lam0.5_100e_cifar100.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/t2t-vit-14_drloc-lam0.5_100e_cifar100.py 8
# Published: 67.03 % top-1 (main paper, Table 2b).
# Measured: not measured.
_base_ = './t2t-vit-14_drloc_100e_cifar100.py'

model = dict(auxiliary_head=dict(loss=dict(loss_weight=0.5)))
