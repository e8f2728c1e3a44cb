# t2t-vit-7_800e.py in 200 epochs, as the official scripts; from weights alone.
# Train: mmdrloc train idmm/finetune/t2t-vit-7_200e \
#      --weights work_dirs/idmm_t2t-vit-7_sin-10k
_base_ = './t2t-vit-7_800e.py'

model = dict(
    backbone=dict(init_cfg=dict(type='Pretrained', prefix='backbone.'))
)
train_cfg = dict(max_epochs=200)
