# Mask R-CNN on scenes of handwritten digits, from random weights, or from
# those that --weights names.
#
# Data:  python tools/dataset_converters/digits.py
# Train: python tools/train.py configs/quickstart/mask-rcnn_swin-2stage.py \
#            --dataset digits_coco
#        python tools/train.py configs/quickstart/mask-rcnn_swin-2stage.py \
#            --dataset digits_coco --weights work_dirs/swin-2stage_drloc_digits
# Published: none, our own demo data.
# Measured: box AP 50.8, AP50 78.7, mask AP 52.5 (seed 0).
#     With --weights work_dirs/swin-2stage_digits: box AP 54.8, AP50 85.3, mask
#     AP 56.2 (seed 0).
#     With --weights work_dirs/swin-2stage_drloc_digits: box AP 54.4, AP50
#     82.2, mask AP 55.6 (seed 0).
# Time: 1.5 min on one core; see docs/results.md.
_base_ = [
    '../_base_/models/mask-rcnn_swin-2stage.py',
    '../_base_/protocols/quickstart_det.py',
]

model = dict(roi_head=dict(bbox_head=_base_.head, mask_head=_base_.mask_head))
