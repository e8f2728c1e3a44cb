# Cascade Mask R-CNN with CvT-13, trained as with PVTv2-B0.
#
# Train: python tools/train.py configs/coco/cascade-mask-rcnn_cvt-13_1x.py \
#            --dataset coco --weights work_dirs/cvt-13_drloc_imagenet-100
# 8 GPUs: bash tools/dist_train.sh \
#            configs/coco/cascade-mask-rcnn_cvt-13_1x.py 8 \
#            --dataset coco --weights work_dirs/cvt-13_drloc_imagenet-100
# Published: none.
# Measured: not measured.
_base_ = [
    './cascade-mask-rcnn_pvtv2-b0_1x.py',
    '../_base_/models/cvt-13_dense.py',
]

model = dict(
    backbone=dict(_delete_=True, **_base_.network),
    neck=dict(in_channels=_base_.maps),
)
