# IDMM of PVTv2-B0 in 800 epochs.
# Train: mmdrloc train idmm/pretrain/idmm_pvtv2-b0 --dataset sin-10k
_base_ = [
    '../../_base_/models/pvtv2-b0.py',
    '../../_base_/datasets/flowers102_bs64_idmm_112.py',
    '../../_base_/schedules/idmm_800e.py',
    '../../_base_/default_runtime.py',
]
model = dict(
    type='mmdrloc.IDMM',
    num_views=(2, 4),
    backbone=dict(drop_path_rate=0.1),
    head=dict(num_classes=2040),
)
default_hooks = dict(checkpoint=dict(interval=10))
