# Mask R-CNN with cvt-mini.py: mask-rcnn_swin-mini.py on maps of strides 4 and
# 8; the pyramid makes the coarser ones.
_base_ = ['./mask-rcnn_swin-mini.py', './cvt-mini.py']

model = dict(
    backbone=dict(_delete_=True, **_base_.cvt_mini, out_indices=(0, 1)),
    neck=dict(in_channels=[64, 128]),
)
