# DINO of DeiT-Tiny, all crops of 112 pixels.
_base_ = './idmm_deit-tiny.py'

model = dict(
    _delete_=True,
    type='mmdrloc.DINO',
    backbone=_base_.model.backbone,
    neck=dict(type='mmdrloc.DINONeck', in_channels=192),
    init_cfg=_base_.model.init_cfg,
    data_preprocessor=_base_.model.data_preprocessor,
)
