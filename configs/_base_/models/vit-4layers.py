# 8x8 tokens that are averaged: 0.5 million parameters.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='VisionTransformer',
        arch=dict(
            embed_dims=96, num_layers=4, num_heads=3, feedforward_channels=384
        ),
        img_size=32,
        patch_size=4,
        with_cls_token=False,
        out_type='avg_featmap',
    ),
    head=dict(
        type='LinearClsHead',
        num_classes=10,
        in_channels=96,
        loss=dict(
            type='LabelSmoothLoss', label_smooth_val=0.1, mode='original'
        ),
    ),
)
