# DeiT-Base of deit-base.py for detectors and segmentors.
_base_ = './deit-tiny_dense.py'

network = dict(arch='deit-base')
pyramid = dict(embed_dim=768)
maps = [768] * 4
