# DINO of PVTv2-B0 in 800 epochs.
# Train: mmdrloc train idmm/pretrain/dino_pvtv2-b0 --dataset sin-10k
_base_ = [
    '../../_base_/models/pvtv2-b0.py',
    '../../_base_/datasets/flowers102_bs64_dino_112.py',
    '../../_base_/schedules/dino_800e.py',
    '../../_base_/default_runtime.py',
]

model = dict(
    type='mmdrloc.DINO',
    backbone=dict(drop_path_rate=0.1),
    neck=dict(_delete_=True, type='mmdrloc.DINONeck', in_channels=256),
    head=None,
)
default_hooks = dict(checkpoint=dict(interval=10))
