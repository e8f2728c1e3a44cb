# Supervised contrast of DeiT-Tiny on crops of 112 pixels.
_base_ = './idmm_deit-tiny.py'

model = dict(
    _delete_=True,
    type='mmdrloc.SupCon',
    temperature=0.5,
    backbone=_base_.model.backbone,
    neck=dict(
        type='mmpretrain.NonLinearNeck',
        in_channels=192,
        hid_channels=192,
        out_channels=256,
        num_layers=2,
        with_avg_pool=False,
    ),
    init_cfg=_base_.model.init_cfg,
    data_preprocessor=_base_.model.data_preprocessor,
)
