# Swin-T on DomainNet Infograph from scratch in 300 epochs: DRLoc.
#
# Data:  python tools/dataset_converters/prepare.py domainnet-infograph
# Train: python tools/train.py \
#     configs/scratch_300e/swin-tiny_drloc_300e_domainnet-infograph.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_300e/swin-tiny_drloc_300e_domainnet-infograph.py 8
# Published: 20.72 % top-1 (+3.55; supplement, Table 8).
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny_drloc.py',
    '../_base_/former_datasets/domainnet_infograph.py',
    '../_base_/schedules/scratch_300e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=345))
