# mmdet's Mask R-CNN with Swin-T.
_base_ = ['mmdet::_base_/models/mask-rcnn_r50_fpn.py', './swin-tiny_dense.py']

model = dict(
    backbone=dict(_delete_=True, **_base_.swin_tiny, drop_path_rate=0.2),
    neck=dict(in_channels=[96, 192, 384, 768]),
)
