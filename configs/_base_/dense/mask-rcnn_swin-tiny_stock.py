# mmdet's Mask R-CNN with Swin-T: drop path 0.2, one scale of 1333x800.
_base_ = [
    'mmdet::swin/mask-rcnn_swin-t-p4-w7_fpn_1x_coco.py',
    './swin-tiny_dense.py',
]

model = dict(
    backbone=dict(_delete_=True, **_base_.swin_tiny, drop_path_rate=0.2)
)
