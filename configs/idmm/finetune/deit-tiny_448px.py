# DeiT-Tiny on from 224 to 448 pixels, network and classifier. Warm-up in 2
# epochs, as ever for DeiT.
#
# Weights: python tools/train.py \
#     configs/idmm/finetune/deit-tiny.py --dataset flowers102 \
#     --weights work_dirs/idmm_deit-tiny_flowers102
# Train: python tools/train.py configs/idmm/finetune/deit-tiny_448px.py \
#     --dataset flowers102 --weights work_dirs/deit-tiny_flowers102
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm/finetune/deit-tiny_448px.py 4 --dataset flowers102 \
#     --weights work_dirs/deit-tiny_flowers102
# Published: IDMM's poster, "training from scratch" (800 epochs at 224 pixels,
#     then 100 at 448), by data set: ../README.md.
# Measured: not measured.
_base_ = [
    '../../_base_/models/deit-tiny.py',
    '../../_base_/protocols/idmm_finetune_448px.py',
]

model = dict(
    backbone=dict(_base_.carried.backbone, img_size=448),
    head=dict(_base_.carried.head, num_classes=_base_.num_classes),
    train_cfg=None,
)

warmup, cosine = _base_.param_scheduler
param_scheduler = [dict(warmup, end=2), dict(cosine, begin=2)]
