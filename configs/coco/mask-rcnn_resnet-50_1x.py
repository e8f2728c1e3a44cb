# mmdet's Mask R-CNN with torchvision's ResNet-50.
# Train: mmdrloc train coco/mask-rcnn_resnet-50_1x \
#      --weights work_dirs/resnet-50_drloc_imagenet-100
_base_ = [
    'mmdet::_base_/models/mask-rcnn_r50_fpn.py',
    'mmdet::_base_/datasets/coco_instance.py',
    'mmdet::_base_/schedules/schedule_1x.py',
    'mmdet::_base_/default_runtime.py',
]
dataset_name = 'coco'
