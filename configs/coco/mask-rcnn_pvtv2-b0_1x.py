# Mask R-CNN with PVTv2-B0, by the optimizer of mmdet's detectors with PVTv2.
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
        type='mmpretrain.TIMMBackbone',
        model_name='pvt_v2_b0',
        features_only=True,
        drop_path_rate=0.1,
    ),
    neck=dict(in_channels=[32, 64, 160, 256]),
)
optim_wrapper = dict(
    optimizer=dict(_delete_=True, type='AdamW', lr=1e-4, weight_decay=1e-4)
)
