# Mask R-CNN on nuclei of cells at a size that two processor cores manage: from
# random weights, or from those that --weights names.
#
# Data:  data/nuclei/{train,val}/*.jpg,
#        data/nuclei/annotations/instances_{train,val}.json
# Train: python tools/train.py configs/nuclei/mask-rcnn_cvt-mini.py \
#            --dataset nuclei
#        python tools/train.py configs/nuclei/mask-rcnn_cvt-mini.py \
#            --dataset nuclei \
#            --weights work_dirs/cvt-mini_32px_drloc_cifar10_photos
# Published: none.
# Measured: 25.13 ± 1.68 box AP and 22.50 ± 0.56 mask AP from random weights,
# 33.77 ± 0.67 and 30.90 ± 0.70 from photos/cvt-mini_32px.py, 31.27 ± 1.70 and
# 27.37 ± 0.87 from its twin (seeds 0-2).
_base_ = [
    '../_base_/models/mask-rcnn_cvt-mini.py',
    '../_base_/protocols/nuclei_4e.py',
]

model = dict(roi_head=dict(bbox_head=_base_.head, mask_head=_base_.mask_head))
