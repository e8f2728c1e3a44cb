# SimCLR of DeiT-Tiny on crops of 112 pixels; the projection is as wide as
# mmpretrain's in proportion to the features.
_base_ = './idmm_deit-tiny.py'

model = dict(
    _delete_=True,
    type='mmpretrain.SimCLR',
    backbone=_base_.model.backbone,
    neck=dict(
        type='mmpretrain.NonLinearNeck',
        in_channels=192,
        hid_channels=192,
        out_channels=128,
        num_layers=2,
        with_avg_pool=False,
    ),
    head=dict(
        type='mmpretrain.ContrastiveHead',
        loss=dict(type='mmpretrain.CrossEntropyLoss'),
        temperature=0.1,
    ),
    init_cfg=_base_.model.init_cfg,
    data_preprocessor=_base_.model.data_preprocessor,
)
