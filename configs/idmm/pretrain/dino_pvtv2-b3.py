# dino_pvtv2-b0.py with PVTv2-B3.
# Train: mmdrloc train idmm/pretrain/dino_pvtv2-b3 --dataset sin-10k
_base_ = './dino_pvtv2-b0.py'

model = dict(backbone=dict(model_name='pvt_v2_b3'), neck=dict(in_channels=512))
