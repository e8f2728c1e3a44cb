# Mask R-CNN with CvT-13, trained as with PVTv2-B0: it has three maps; the FPN
# makes the other two.
# Train: mmdrloc train coco/mask-rcnn_cvt-13_1x \
#      --weights work_dirs/cvt-13_drloc_imagenet-100
_base_ = './mask-rcnn_pvtv2-b0_1x.py'

model = dict(
    backbone=dict(
        _delete_=True, type='mmdrloc.CvT', arch='13', out_indices=(0, 1, 2)
    ),
    neck=dict(in_channels=[64, 192, 384]),
)
