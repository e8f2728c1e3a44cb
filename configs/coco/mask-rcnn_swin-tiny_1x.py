# Mask R-CNN with Swin-T, by mmdet's recipe.
# Train: mmdrloc train coco/mask-rcnn_swin-tiny_1x --dataset coco \
#      --weights work_dirs/swin-tiny_drloc_imagenet-1k
_base_ = [
    '../_base_/models/mask-rcnn_swin-tiny.py',
    'mmdet::_base_/datasets/coco_instance.py',
    '../_base_/schedules/coco_adamw_1x.py',
    'mmdet::_base_/default_runtime.py',
]
dataset_name = 'coco'

# mmdet's for Swin: 1,000 iterations of warm-up.
param_scheduler = [
    dict(type='LinearLR', start_factor=0.001, by_epoch=False, end=1000),
    dict(type='MultiStepLR', end=12, milestones=[8, 11]),
]
