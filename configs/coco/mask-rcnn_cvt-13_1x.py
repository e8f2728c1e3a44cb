# Mask R-CNN with CvT-13, by the optimizer of mmdet's detectors with PVTv2: it
# has three maps; the FPN makes the other two.
# Train: mmdrloc train coco/mask-rcnn_cvt-13_1x \
#      --weights work_dirs/cvt-13_drloc_imagenet-100
_base_ = [
    'mmdet::_base_/models/mask-rcnn_r50_fpn.py',
    'mmdet::_base_/datasets/coco_instance.py',
    'mmdet::_base_/schedules/schedule_1x.py',
    'mmdet::_base_/default_runtime.py',
]
dataset_name = 'coco'

model = dict(
    backbone=dict(
        _delete_=True,
        type='mmdrloc.CvT',
        arch='13',
        out_indices=(0, 1, 2),
        drop_path_rate=0.1,
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    neck=dict(in_channels=[64, 192, 384]),
)
optim_wrapper = dict(
    optimizer=dict(_delete_=True, type='AdamW', lr=1e-4, weight_decay=1e-4)
)
