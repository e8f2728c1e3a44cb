# mmdet's Mask R-CNN with PVTv2-B0.
_base_ = ['mmdet::_base_/models/mask-rcnn_r50_fpn.py', './pvtv2-b0_dense.py']

model = dict(
    backbone=dict(_delete_=True, **_base_.pvtv2_b0),
    neck=dict(in_channels=[32, 64, 160, 256]),
)
