# IDMM of DeiT-Tiny on crops of 112 pixels. A leaf config adds the number of
# training images.
_base_ = './deit-tiny.py'

model = dict(
    _delete_=True,
    type='mmdrloc.IDMM',
    num_views=(2, 4),
    backbone=dict(_base_.model.backbone, img_size=112, drop_path_rate=0.1),
    head=_base_.model.head,
    init_cfg=_base_.model.init_cfg,
    data_preprocessor=dict(
        type='mmpretrain.SelfSupDataPreprocessor',
        mean=[123.675, 116.28, 103.53],
        std=[58.395, 57.12, 57.375],
        to_rgb=True,
    ),
)
