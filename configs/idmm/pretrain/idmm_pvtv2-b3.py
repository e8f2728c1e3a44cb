# idmm_pvtv2-b0.py with PVTv2-B3.
# Train: mmdrloc train idmm/pretrain/idmm_pvtv2-b3 --dataset sin-10k
_base_ = './idmm_pvtv2-b0.py'

model = dict(backbone=dict(model_name='pvt_v2_b3'), head=dict(in_channels=512))
