# IDMM of DeiT-Tiny in 800 epochs.
# Train: mmdrloc train idmm/pretrain/idmm_deit-tiny
_base_ = [
    '../../_base_/models/deit-tiny.py',
    '../../_base_/datasets/flowers102_bs64_idmm_112.py',
    '../../_base_/schedules/idmm_deit_800e.py',
    '../../_base_/default_runtime.py',
]
model = dict(
    type='mmdrloc.IDMM',
    num_views=(2, 4),
    backbone=dict(img_size=112, drop_path_rate=0.1),
    head=dict(num_classes=2040),
)
default_hooks = dict(checkpoint=dict(interval=10))
