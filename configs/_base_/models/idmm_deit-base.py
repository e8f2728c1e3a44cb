# idmm_deit-tiny.py with DeiT-Base.
_base_ = './idmm_deit-tiny.py'

model = dict(backbone=dict(arch='deit-base'), head=dict(in_channels=768))
