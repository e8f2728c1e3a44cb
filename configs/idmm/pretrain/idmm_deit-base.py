# IDMM of DeiT-Base in 800 epochs.
_base_ = './idmm_deit-tiny.py'

model = dict(backbone=dict(arch='deit-base'), head=dict(in_channels=768))
