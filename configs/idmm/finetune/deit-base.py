# DeiT-Base at 224 pixels in 800 epochs, as IDMM fine-tunes.
# Train: python tools/train.py configs/idmm/finetune/deit-base.py \
#      --weights work_dirs/idmm_deit-base_flowers102
# Published: 88.1 top-1 on Flowers102 from idmm on the same images
_base_ = './deit-tiny.py'

model = dict(backbone=dict(arch='deit-base'), head=dict(in_channels=768))
