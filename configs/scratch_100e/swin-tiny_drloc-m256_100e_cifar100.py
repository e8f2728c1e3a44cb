# Swin-T on CIFAR-100 from scratch in 100 epochs: DRLoc, 256 pairs.
#
# Data:  python tools/dataset_converters/prepare.py cifar100
# Train: python tools/train.py \
#     configs/scratch_100e/swin-tiny_drloc-m256_100e_cifar100.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/swin-tiny_drloc-m256_100e_cifar100.py 8
# Published: 64.87 % top-1 (main paper, Table 2a).
# Measured: not measured.
_base_ = './swin-tiny_drloc_100e_cifar100.py'

model = dict(auxiliary_head=dict(num_pairs=256))
