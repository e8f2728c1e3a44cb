# deit-base_800e.py in 200 epochs, as the official scripts; from weights alone.
# Train: mmdrloc train idmm/finetune/deit-base_200e \
#      --weights deit_base_patch16_224-b5f2ef4d.pth
_base_ = './deit-tiny_800e.py'

model = dict(
    backbone=dict(
        arch='deit-base', init_cfg=dict(type='Pretrained', prefix='backbone.')
    ),
    head=dict(in_channels=768),
)
train_cfg = dict(max_epochs=200)
