# deit-base.py in 200 epochs, as the official scripts; from weights alone.
# Train: python tools/train.py configs/idmm/finetune/deit-base_200e.py \
#      --weights deit_base_patch16_224-b5f2ef4d.pth
# Published: 97.7 top-1 on Flowers102 from supervised on ImageNet-1K
_base_ = './deit-tiny.py'

model = dict(
    backbone=dict(
        arch='deit-base',
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    head=dict(in_channels=768),
)
train_cfg = dict(max_epochs=200)
