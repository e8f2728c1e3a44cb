# A classifier with cvt-mini.py.
_base_ = './cvt-mini.py'

model = dict(
    type='ImageClassifier',
    backbone=_base_.cvt_mini,
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
