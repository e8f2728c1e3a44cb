# t2t-vit-7.py in 200 epochs, as the official scripts; from weights alone.
# Train: python tools/train.py configs/idmm/finetune/t2t-vit-7_200e.py \
#      --weights work_dirs/idmm_t2t-vit-7_sin-10k
# Published: 89.8 top-1 on Flowers102 from idmm on SIN-10k
_base_ = './t2t-vit-7.py'

model = dict(
    backbone=dict(init_cfg=dict(type='Pretrained', prefix='backbone.'))
)
train_cfg = dict(max_epochs=200)
