# DINO of DeiT-Tiny in 800 epochs.
_base_ = [
    '../../_base_/models/deit-tiny.py',
    '../../_base_/datasets/flowers102_bs64_dino_112.py',
    '../../_base_/schedules/dino_800e.py',
    '../../_base_/default_runtime.py',
]

model = dict(
    type='mmdrloc.DINO',
    backbone=dict(img_size=112, drop_path_rate=0.1),
    neck=dict(type='mmdrloc.DINONeck', in_channels=192),
    head=None,
)
default_hooks = dict(checkpoint=dict(interval=10))
