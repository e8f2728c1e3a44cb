# IDMM of DeiT-Base in 800 epochs.
# Train: python tools/train.py configs/idmm/pretrain/idmm_deit-base.py
_base_ = './idmm_deit-tiny.py'

model = dict(backbone=dict(arch='deit-base'), head=dict(in_channels=768))
