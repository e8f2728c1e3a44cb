# A CvT for small photos and two processor cores, 0.7 million parameters: of
# CvT-13 the first two stages, narrower. At 32 px they have 8x8 and 4x4 cells.
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
        num_classes=1000,
        in_channels=128,
        loss=dict(
            type='LabelSmoothLoss', label_smooth_val=0.1, mode='original'
        ),
    ),
)
