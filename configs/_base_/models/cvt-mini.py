# Of CvT-13 the first two stages, narrower, 0.7 million parameters: maps of
# strides 4 and 8.
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
