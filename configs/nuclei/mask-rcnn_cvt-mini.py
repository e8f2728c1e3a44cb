# Mask R-CNN on nuclei of cells at a size that two processor cores manage.
# Train: mmdrloc train nuclei/mask-rcnn_cvt-mini
# Measured: 25.13 ± 1.68 box AP and 22.50 ± 0.56 mask AP from random weights,
#     33.77 ± 0.67 and 30.90 ± 0.70 from photos/cvt-mini_32px.py, 31.27 ± 1.70
#     and 27.37 ± 0.87 with unsigned DRLoc (seeds 0-2).
_base_ = [
    '../_base_/models/mask-rcnn_mini.py',
    '../_base_/datasets/nuclei_bs2_192.py',
    '../_base_/schedules/nuclei_adamw_4e.py',
    '../_base_/mmdet_runtime.py',
]

# The network of photos/cvt-mini_32px.py: maps of strides 4 and 8; the pyramid
# makes the coarser ones.
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmdrloc.CvT',
        arch=dict(embed_dims=[64, 128], depths=[1, 3], num_heads=[1, 2]),
        variant='drloc',
        out_indices=(0, 1),
    ),
    neck=dict(in_channels=[64, 128]),
)
