# T2T-ViT-14 on CIFAR-100 from scratch in 100 epochs: DRLoc, lambda 1.0.
#
# Data:  python tools/dataset_converters/prepare.py cifar100
# Train: python tools/train.py \
#     configs/scratch_100e/t2t-vit-14_drloc-lam1.0_100e_cifar100.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/t2t-vit-14_drloc-lam1.0_100e_cifar100.py 8
# Published: 66.53 % top-1 (main paper, Table 2b).
# Note: section 5 of the paper takes the networks' settings from their authors,
#     who drop paths at a rate of 0.1 (main.py of T2T-ViT, cvt-13-224x224.yaml
#     of CvT), and so do we; the official code as it runs does not, and nor do
#     its variants in configs/official.
# Measured: not measured.
_base_ = './t2t-vit-14_drloc_100e_cifar100.py'

model = dict(auxiliary_head=dict(loss=dict(loss_weight=1.0)))
