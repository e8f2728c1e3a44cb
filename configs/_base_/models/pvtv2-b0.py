# PVTv2-B0 as timm has it: 3.667 M parameters.
model = dict(
    type='ImageClassifier',
    backbone=dict(type='TIMMBackbone', model_name='pvt_v2_b0'),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(
        type='LinearClsHead',
        num_classes=1000,
        in_channels=256,
        # As the rest.
        init_cfg=dict(type='TruncNormal', layer='Linear', std=0.02),
        loss=dict(type='LabelSmoothLoss', label_smooth_val=0.1),
    ),
)
