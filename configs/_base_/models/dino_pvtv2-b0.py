# DINO of PVTv2-B0, all crops of 112 pixels.
_base_ = './idmm_pvtv2-b0.py'

model = dict(
    _delete_=True,
    type='mmdrloc.DINO',
    backbone=_base_.model.backbone,
    neck=dict(type='mmdrloc.DINONeck', in_channels=256),
    data_preprocessor=_base_.model.data_preprocessor,
)
