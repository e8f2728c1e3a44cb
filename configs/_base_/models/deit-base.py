# DeiT-Base without distillation (Touvron et al., 2021).
_base_ = './deit-tiny.py'

model = dict(backbone=dict(arch='deit-base'), head=dict(in_channels=768))
