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
