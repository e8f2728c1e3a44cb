# Swin-T on DomainNet Painting from scratch in 100 epochs: DRLoc.
#
# Data:  python tools/dataset_converters/prepare.py domainnet-painting
# Train: python tools/train.py \
#     configs/scratch_100e/swin-tiny_drloc_100e_domainnet-painting.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/swin-tiny_drloc_100e_domainnet-painting.py 8
# Published: 41.86 % top-1 (+5.94; main paper, Table 4).
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny_drloc.py',
    '../_base_/former_datasets/domainnet_painting.py',
    '../_base_/schedules/scratch_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=345))
