# Mask R-CNN on nuclei of cells at a size that two processor cores manage: from
# random weights, or from those that --weights names.
#
# Data:  data/nuclei/{train,val}/*.jpg,
#        data/nuclei/annotations/instances_{train,val}.json
# Train: python tools/train.py configs/nuclei/mask-rcnn_swin-mini.py \
#            --dataset nuclei
#        python tools/train.py configs/nuclei/mask-rcnn_swin-mini.py \
#            --dataset nuclei \
#            --weights work_dirs/swin-mini_drloc_cifar10_photos
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/mask-rcnn_swin-mini.py',
    '../_base_/protocols/nuclei_4e.py',
]

model = dict(roi_head=dict(bbox_head=_base_.head, mask_head=_base_.mask_head))
