# deit-base.py in 200 epochs, as the official scripts fine-tune: from weights
# alone.
#
# Weights: deit_base_patch16_224-b5f2ef4d.pth, from the address in README.md
# Train: python tools/train.py configs/idmm/finetune/deit-base_200e.py \
#      --weights deit_base_patch16_224-b5f2ef4d.pth
# Published: 97.7 on Flowers102 from supervised, 91.4 on Oxford-IIIT Pets from
#     supervised, 74.9 on DTD from supervised; all: README.md
_base_ = './deit-base.py'

model = dict(
    backbone=dict(init_cfg=dict(type='Pretrained', prefix='backbone.'))
)
train_cfg = dict(max_epochs=200)
