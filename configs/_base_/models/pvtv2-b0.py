# PVTv2-B0 as timm has it: 3.667 M parameters.
model = dict(
    type='mmpretrain.ImageClassifier',
    backbone=dict(type='mmpretrain.TIMMBackbone', model_name='pvt_v2_b0'),
    neck=dict(type='mmpretrain.GlobalAveragePooling'),
    head=dict(
        type='mmpretrain.LinearClsHead',
        num_classes=1000,
        in_channels=256,
        # As the rest.
        init_cfg=dict(type='TruncNormal', layer='Linear', std=0.02),
        loss=dict(
            type='mmpretrain.LabelSmoothLoss',
            label_smooth_val=0.1,
            mode='original',
        ),
    ),
    train_cfg=dict(
        augments=[
            dict(type='mmpretrain.Mixup', alpha=0.8),
            dict(type='mmpretrain.CutMix', alpha=1.0),
        ]
    ),
)
