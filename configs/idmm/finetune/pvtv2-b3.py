# pvtv2-b0.py with PVTv2-B3.
#
# Weights: python tools/train.py \
#     configs/idmm/pretrain/idmm_pvtv2-b3.py --dataset flowers102
# Train: python tools/train.py configs/idmm/finetune/pvtv2-b3.py \
#     --dataset flowers102 --weights work_dirs/idmm_pvtv2-b3_flowers102
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm/finetune/pvtv2-b3.py 4 --dataset flowers102 \
#     --weights work_dirs/idmm_pvtv2-b3_flowers102
# Published: IDMM's poster, "training from scratch", by data set:
#     ../README.md.
# Measured: not measured.
_base_ = './pvtv2-b0.py'

model = dict(backbone=dict(model_name='pvt_v2_b3'), head=dict(in_channels=512))
