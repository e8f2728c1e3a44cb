# Cascade Mask R-CNN with Swin-T, which mmdet does not ship.
_base_ = ['./cascade-mask-rcnn.py', './swin-tiny_dense.py']

model = dict(
    backbone=dict(_delete_=True, **_base_.swin_tiny, drop_path_rate=0.2),
    neck=dict(in_channels=[96, 192, 384, 768]),
)
