# Swin-T on DomainNet Real from scratch in 100 epochs: DRLoc.
#
# Data:  python tools/dataset_converters/prepare.py domainnet-real
# Train: python tools/train.py \
#     configs/scratch_100e/swin-tiny_drloc_100e_domainnet-real.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/swin-tiny_drloc_100e_domainnet-real.py 8
# Published: 75.59 % top-1 (+2.12; main paper, Table 4).
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny_drloc.py',
    '../_base_/former_datasets/domainnet_real.py',
    '../_base_/schedules/scratch_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=345))
