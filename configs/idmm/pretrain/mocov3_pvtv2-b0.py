# MoCo v3 of PVTv2-B0 in 800 epochs.
# Train: mmdrloc train idmm/pretrain/mocov3_pvtv2-b0 --dataset sin-10k
_base_ = './mocov3_deit-tiny.py'
model = dict(
    backbone=dict(
        _delete_=True,
        type='TIMMBackbone',
        model_name='pvt_v2_b0',
        drop_path_rate=0.1,
    ),
    neck=dict(in_channels=256, with_avg_pool=True),
    init_cfg=None,
)
# As in idmm_800e.py.
optim_wrapper = dict(optimizer=dict(lr=1e-3))
param_scheduler = [
    dict(
        type='LinearLR', start_factor=1e-3, end=10, convert_to_iter_based=True
    ),
    dict(type='CosineAnnealingLR', begin=10, convert_to_iter_based=True),
]
