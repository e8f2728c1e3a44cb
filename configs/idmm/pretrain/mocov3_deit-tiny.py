# MoCo v3 of DeiT-Tiny in 800 epochs.
_base_ = [
    '../../_base_/models/mocov3.py',
    '../../_base_/datasets/flowers102_bs64_mocov3_112.py',
    '../../_base_/schedules/idmm_deit_800e.py',
    '../../_base_/default_runtime.py',
]

model = dict(
    backbone=dict(
        type='mmdrloc.DeiT',
        arch='deit-tiny',
        img_size=112,
        patch_size=16,
        drop_path_rate=0.1,
    ),
    neck=dict(in_channels=192, with_avg_pool=False),
    init_cfg=dict(type='TruncNormal', layer='Linear', std=0.02, bias=0.0),
)
default_hooks = dict(checkpoint=dict(interval=10))
