# MoCo v3 of PVTv2-B0 in 800 epochs.
# Train: mmdrloc train idmm/pretrain/mocov3_pvtv2-b0 --dataset sin-10k
_base_ = [
    '../../_base_/models/mocov3.py',
    '../../_base_/datasets/flowers102_bs64_mocov3_112.py',
    '../../_base_/schedules/idmm_800e.py',
    '../../_base_/default_runtime.py',
]

model = dict(
    backbone=dict(
        type='TIMMBackbone', model_name='pvt_v2_b0', drop_path_rate=0.1
    ),
    neck=dict(in_channels=256, with_avg_pool=True),
)
default_hooks = dict(checkpoint=dict(interval=10))
