# DeiT-Base at 224 pixels in 800 epochs, as IDMM fine-tunes.
# Train: mmdrloc train idmm/finetune/deit-base_800e \
#      --weights work_dirs/idmm_deit-base_flowers102
_base_ = './deit-tiny_800e.py'

model = dict(backbone=dict(arch='deit-base'), head=dict(in_channels=768))
