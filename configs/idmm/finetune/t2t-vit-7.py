# T2T-ViT-7 at 224 pixels in 800 epochs, as IDMM fine-tunes: from random
# weights, or from those of a pre-training.
#
# Weights: python tools/train.py \
#     configs/idmm/pretrain/idmm_t2t-vit-7.py --dataset flowers102
# Train: python tools/train.py configs/idmm/finetune/t2t-vit-7.py \
#     --dataset flowers102 --weights work_dirs/idmm_t2t-vit-7_flowers102
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm/finetune/t2t-vit-7.py 4 --dataset flowers102 \
#     --weights work_dirs/idmm_t2t-vit-7_flowers102
# Published: IDMM's poster, "training from scratch", by data set:
#     ../README.md.
# Measured: not measured.
_base_ = [
    '../../_base_/models/t2t-vit-7.py',
    '../../_base_/protocols/idmm_finetune.py',
    '../../_base_/schedules/idmm_800e.py',
]

model = dict(
    backbone=dict(drop_path_rate=0.1),
    head=dict(num_classes=_base_.num_classes),
    train_cfg=None,
)
