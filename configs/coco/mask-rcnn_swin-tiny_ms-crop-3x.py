# Mask R-CNN with Swin-T, by mmdet's recipe of 36 epochs, multi-scale.
# Train: mmdrloc train coco/mask-rcnn_swin-tiny_ms-crop-3x \
#      --weights work_dirs/swin-tiny_drloc_imagenet-1k
_base_ = [
    '../_base_/models/mask-rcnn_swin-tiny.py',
    '../_base_/datasets/coco_instance_ms-crop.py',
    '../_base_/schedules/coco_adamw_1x.py',
    'mmdet::_base_/default_runtime.py',
]
param_scheduler = [
    dict(type='LinearLR', start_factor=0.001, by_epoch=False, end=1000),
    dict(type='MultiStepLR', end=36, milestones=[27, 33]),
]
train_cfg = dict(max_epochs=36)
