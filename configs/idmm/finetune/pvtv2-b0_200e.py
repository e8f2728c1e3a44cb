# pvtv2-b0.py in 200 epochs, as the official scripts; from weights alone.
# Train: python tools/train.py configs/idmm/finetune/pvtv2-b0_200e.py \
#      --weights work_dirs/idmm_pvtv2-b0_sin-10k
# Published: 93.8 top-1 on Flowers102 from idmm on SIN-10k
_base_ = './pvtv2-b0.py'

model = dict(
    backbone=dict(init_cfg=dict(type='Pretrained', prefix='backbone.'))
)
train_cfg = dict(max_epochs=200)
