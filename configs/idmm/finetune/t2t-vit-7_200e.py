# t2t-vit-7.py in 200 epochs, as the official scripts; from weights alone.
# Train with: --weights work_dirs/idmm_t2t-vit-7_sin-10k
_base_ = './t2t-vit-7.py'

model = dict(
    backbone=dict(init_cfg=dict(type='Pretrained', prefix='backbone.'))
)
train_cfg = dict(max_epochs=200)
