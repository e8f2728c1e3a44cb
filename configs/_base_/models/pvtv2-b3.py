# PVTv2-B3 as timm has it: 45.239 M parameters.
_base_ = './pvtv2-b0.py'

model = dict(backbone=dict(model_name='pvt_v2_b3'), head=dict(in_channels=512))
