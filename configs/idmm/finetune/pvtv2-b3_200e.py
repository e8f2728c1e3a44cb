# pvtv2-b3.py in 200 epochs, as the official scripts; from weights alone.
# Train: python tools/train.py configs/idmm/finetune/pvtv2-b3_200e.py \
#      --weights work_dirs/idmm_pvtv2-b3_sin-10k
# Published: 95.9 top-1 on Flowers102 from idmm on SIN-10k
_base_ = './pvtv2-b0.py'

model = dict(
    backbone=dict(
        model_name='pvt_v2_b3',
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    head=dict(in_channels=512),
)
train_cfg = dict(max_epochs=200)
