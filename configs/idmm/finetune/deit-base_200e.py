# deit-base.py in 200 epochs, as the official scripts; from weights alone.
# Train: python tools/train.py configs/idmm/finetune/deit-base_200e.py \
#      --weights deit_base_patch16_224-b5f2ef4d.pth
_base_ = './deit-base.py'

model = dict(
    backbone=dict(init_cfg=dict(type='Pretrained', prefix='backbone.'))
)
train_cfg = dict(max_epochs=200)
