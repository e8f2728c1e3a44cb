# pvtv2-b3.py in 200 epochs, as the official scripts; from weights alone.
# Train with: --weights work_dirs/idmm_pvtv2-b3_sin-10k
_base_ = './pvtv2-b0.py'

model = dict(
    backbone=dict(
        model_name='pvt_v2_b3',
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    head=dict(in_channels=512),
)
train_cfg = dict(max_epochs=200)
