# pvtv2-b0.py in 200 epochs, as the official scripts; from weights alone.
# Train with: --weights work_dirs/idmm_pvtv2-b0_sin-10k
_base_ = './pvtv2-b0.py'

model = dict(
    backbone=dict(init_cfg=dict(type='Pretrained', prefix='backbone.'))
)
train_cfg = dict(max_epochs=200)
