# PVTv2-B3 at 224 pixels in 800 epochs, as IDMM fine-tunes.
# Train: python tools/train.py configs/idmm/finetune/pvtv2-b3.py \
#      --weights work_dirs/idmm_pvtv2-b3_flowers102
# Published: 95.9 top-1 on Flowers102 from idmm on the same images
_base_ = './pvtv2-b0.py'

model = dict(backbone=dict(model_name='pvt_v2_b3'), head=dict(in_channels=512))
