# PVTv2-B3 at 224 pixels in 800 epochs, as IDMM fine-tunes.
# Train: mmdrloc train idmm/finetune/pvtv2-b3_800e \
#      --weights work_dirs/idmm_pvtv2-b3_flowers102
_base_ = './pvtv2-b0_800e.py'

model = dict(backbone=dict(model_name='pvt_v2_b3'), head=dict(in_channels=512))
