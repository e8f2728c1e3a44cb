# Mask R-CNN at a size that two processor cores manage, which looks for people
# on photos: from random weights, or from those that --weights names.
#
# Data:  data/coco_mini/{train,val}/*.jpg,
#        data/coco_mini/annotations/instances_{train,val}.json
# Train: python tools/train.py configs/coco_mini/mask-rcnn_swin-mini.py \
#            --dataset coco_mini
#        python tools/train.py configs/coco_mini/mask-rcnn_swin-mini.py \
#            --dataset coco_mini \
#            --weights work_dirs/swin-mini_drloc_cifar10_photos
# Published: none.
# Measured: box AP 0.2, AP50 0.8; mask AP 0.0, AP50 0.1 (704 updates, seed 0).
#     With --weights work_dirs/swin-mini_drloc_cifar10_photos: box AP 0.6, AP50
#     2.2; mask AP 0.5, AP50 1.1.
_base_ = [
    '../_base_/models/mask-rcnn_swin-mini.py',
    '../_base_/protocols/coco_mini_16e.py',
]

model = dict(roi_head=dict(bbox_head=_base_.head, mask_head=_base_.mask_head))
