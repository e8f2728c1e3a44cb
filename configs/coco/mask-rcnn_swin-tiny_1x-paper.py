# Mask R-CNN with Swin-T, by Swin's own recipe.
# Train: mmdrloc train coco/mask-rcnn_swin-tiny_1x-paper \
#      --weights work_dirs/swin-tiny_drloc_imagenet-1k
_base_ = [
    '../_base_/models/mask-rcnn_swin-tiny.py',
    '../_base_/datasets/coco_instance_ms-crop.py',
    '../_base_/schedules/coco_adamw_1x.py',
    'mmdet::_base_/default_runtime.py',
]
model = dict(backbone=dict(drop_path_rate=0.1))
