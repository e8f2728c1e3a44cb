# pvtv2-b3_800e.py in 200 epochs, as the official scripts; from weights alone.
# Train: mmdrloc train idmm/finetune/pvtv2-b3_200e \
#      --weights work_dirs/idmm_pvtv2-b3_sin-10k
_base_ = './pvtv2-b0_800e.py'

model = dict(
    backbone=dict(
        model_name='pvt_v2_b3',
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    head=dict(in_channels=512),
)
train_cfg = dict(max_epochs=200)
