# PVTv2-B0 on from 224 to 448 pixels, network and classifier.
#
# Weights: python tools/train.py \
#     configs/idmm/finetune/pvtv2-b0.py --dataset flowers102 \
#     --weights work_dirs/idmm_pvtv2-b0_flowers102
# Train: python tools/train.py configs/idmm/finetune/pvtv2-b0_448px.py \
#     --dataset flowers102 --weights work_dirs/pvtv2-b0_flowers102
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm/finetune/pvtv2-b0_448px.py 4 --dataset flowers102 \
#     --weights work_dirs/pvtv2-b0_flowers102
# Published: IDMM's poster, "training from scratch" (800 epochs at 224 pixels,
#     then 100 at 448), by data set: ../README.md.
# Measured: not measured.
_base_ = [
    '../../_base_/models/pvtv2-b0.py',
    '../../_base_/protocols/idmm_finetune_448px.py',
]

model = dict(
    backbone=_base_.carried.backbone,
    head=dict(_base_.carried.head, num_classes=_base_.num_classes),
    train_cfg=None,
)
