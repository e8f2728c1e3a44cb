# DINO of PVTv2-B0 in 800 epochs.
# Train: mmdrloc train idmm/pretrain/dino_pvtv2-b0 --dataset sin-10k
_base_ = './dino_deit-tiny.py'
model = dict(
    backbone=dict(
        _delete_=True,
        type='TIMMBackbone',
        model_name='pvt_v2_b0',
        drop_path_rate=0.1,
    ),
    neck=dict(in_channels=256),
    init_cfg=None,
)
