# A classifier with swin-2stage.py.
_base_ = './swin-2stage.py'

model = dict(
    type='ImageClassifier',
    backbone=dict(**_base_.swin_2stage, out_indices=(1,)),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(
        type='LinearClsHead',
        num_classes=1000,
        in_channels=96,
        loss=dict(type='CrossEntropyLoss'),
    ),
)
