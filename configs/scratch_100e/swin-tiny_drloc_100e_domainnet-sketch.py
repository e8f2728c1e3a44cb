# Swin-T on DomainNet Sketch from scratch in 100 epochs: DRLoc.
#
# Data:  python tools/dataset_converters/prepare.py domainnet-sketch
# Train: python tools/train.py \
#     configs/scratch_100e/swin-tiny_drloc_100e_domainnet-sketch.py
# 8 GPUs: bash tools/dist_train.sh \
#     configs/scratch_100e/swin-tiny_drloc_100e_domainnet-sketch.py 8
# Published: 38.55 % top-1 (+26.58; main paper, Table 4).
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-tiny_drloc.py',
    '../_base_/former_datasets/domainnet_sketch.py',
    '../_base_/schedules/scratch_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=345))
