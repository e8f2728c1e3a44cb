# mmdet's Cascade Mask R-CNN with ResNet-50: from torchvision's weights, or
# from those that --weights names.
#
# Train: python tools/train.py configs/coco/cascade-mask-rcnn_resnet-50_1x.py \
#            --dataset coco --weights work_dirs/resnet-50_drloc_imagenet-100
# 8 GPUs: bash tools/dist_train.sh \
#            configs/coco/cascade-mask-rcnn_resnet-50_1x.py 8 \
#            --dataset coco --weights work_dirs/resnet-50_drloc_imagenet-100
# Published: none.
# Measured: not measured.
_base_ = [
    'mmdet::_base_/models/cascade-mask-rcnn_r50_fpn.py',
    '../_base_/protocols/coco_1x.py',
]

heads = _base_.model.roi_head.bbox_head
boxes = [dict(stage, **_base_.head) for stage in heads]
model = dict(roi_head=dict(bbox_head=boxes, mask_head=_base_.mask_head))
del heads
