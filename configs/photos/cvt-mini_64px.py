# CvT-mini on your own photos without DRLoc.
# Train: python tools/train.py configs/photos/cvt-mini_64px.py
# Measured: 69.23 ± 0.10 % top-1 on flowers, 70.09 ± 3.32 % on clothes (seeds
#     0, 1; README.md).
_base_ = [
    '../_base_/datasets/photos_bs16_64.py',
    '../_base_/schedules/photos_bs16_adamw_30e.py',
    '../_base_/default_runtime.py',
]

# Three narrow stages, 0.8 million parameters: 16x16, 8x8 and 4x4 cells.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='mmdrloc.CvT',
        arch=dict(
            embed_dims=[32, 64, 128], depths=[1, 1, 3], num_heads=[1, 1, 2]
        ),
        variant='drloc',
    ),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(
        type='LinearClsHead',
        num_classes=2,
        in_channels=128,
        loss=dict(
            type='LabelSmoothLoss', label_smooth_val=0.1, mode='original'
        ),
    ),
)
