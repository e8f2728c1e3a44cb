# mocov3_pvtv2-b0.py with PVTv2-B3.
#
# Train: python tools/train.py configs/idmm/pretrain/mocov3_pvtv2-b3.py \
#     --dataset sin-10k
# 4 GPUs: bash tools/dist_train.sh \
#     configs/idmm/pretrain/mocov3_pvtv2-b3.py 4 --dataset sin-10k
# Published: none for the pre-training itself.
# Measured: not measured.
_base_ = './mocov3_pvtv2-b0.py'

model = dict(backbone=dict(model_name='pvt_v2_b3'), neck=dict(in_channels=512))
