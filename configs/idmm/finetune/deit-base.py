# DeiT-Base at 224 pixels in 800 epochs, as IDMM fine-tunes.
# Train with: --weights work_dirs/idmm_deit-base_flowers102
_base_ = './deit-tiny.py'

model = dict(backbone=dict(arch='deit-base'), head=dict(in_channels=768))
