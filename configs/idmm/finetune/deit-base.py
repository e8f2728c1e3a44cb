# deit-tiny.py with DeiT-Base.
#
# Weights: python tools/train.py \
#     configs/idmm/pretrain/idmm_deit-base.py --dataset flowers102
# Train: python tools/train.py configs/idmm/finetune/deit-base.py \
#     --dataset flowers102 --weights work_dirs/idmm_deit-base_flowers102
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm/finetune/deit-base.py 4 --dataset flowers102 \
#     --weights work_dirs/idmm_deit-base_flowers102
# Published: IDMM's poster, "training from scratch", by data set:
#     ../README.md.
# Measured: not measured.
_base_ = './deit-tiny.py'

model = dict(backbone=dict(arch='deit-base'), head=dict(in_channels=768))
