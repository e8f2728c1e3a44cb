# COCO 2017 as mmdet has it: one scale of 1333x800, 8 GPUs with 2 images each.
_base_ = 'mmdet::_base_/datasets/coco_instance.py'
dataset_name = 'coco'
