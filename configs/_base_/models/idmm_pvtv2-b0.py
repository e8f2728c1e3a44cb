# IDMM of PVTv2-B0. A leaf config adds the number of training images.
_base_ = './pvtv2-b0.py'

model = dict(
    _delete_=True,
    type='mmdrloc.IDMM',
    num_views=(2, 4),
    backbone=dict(_base_.model.backbone, drop_path_rate=0.1),
    neck=_base_.model.neck,
    head=_base_.model.head,
    data_preprocessor=dict(
        type='mmpretrain.SelfSupDataPreprocessor',
        mean=[123.675, 116.28, 103.53],
        std=[58.395, 57.12, 57.375],
        to_rgb=True,
    ),
)
