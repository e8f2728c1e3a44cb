# A classifier with swin-mini.py.
_base_ = './swin-mini.py'

model = dict(
    type='ImageClassifier',
    backbone=dict(**_base_.swin_mini, out_indices=(3,)),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(
        type='LinearClsHead',
        num_classes=1000,
        in_channels=256,
        loss=dict(type='CrossEntropyLoss'),
    ),
)
