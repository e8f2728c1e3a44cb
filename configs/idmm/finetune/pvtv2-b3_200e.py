# pvtv2-b3.py in 200 epochs, as the official scripts; from weights alone.
# Train: python tools/train.py configs/idmm/finetune/pvtv2-b3_200e.py \
#      --weights work_dirs/idmm_pvtv2-b3_sin-10k
_base_ = './pvtv2-b3.py'

model = dict(
    backbone=dict(init_cfg=dict(type='Pretrained', prefix='backbone.'))
)
train_cfg = dict(max_epochs=200)
