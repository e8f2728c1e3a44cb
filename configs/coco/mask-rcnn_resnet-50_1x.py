# mmdet's Mask R-CNN with ResNet-50: from torchvision's weights, or from those
# that --weights names.
#
# Train: python tools/train.py configs/coco/mask-rcnn_resnet-50_1x.py \
#            --dataset coco --weights work_dirs/resnet-50_drloc_imagenet-100
# 8 GPUs: bash tools/dist_train.sh \
#            configs/coco/mask-rcnn_resnet-50_1x.py 8 \
#            --dataset coco --weights work_dirs/resnet-50_drloc_imagenet-100
# Published: none.
# Measured: not measured.
_base_ = [
    'mmdet::_base_/models/mask-rcnn_r50_fpn.py',
    '../_base_/protocols/coco_1x.py',
]

model = dict(roi_head=dict(bbox_head=_base_.head, mask_head=_base_.mask_head))
