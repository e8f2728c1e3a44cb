# A narrow ViT for photos of 32 pixels, 8x8 tokens: 0.5 million parameters.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='VisionTransformer',
        arch=dict(
            embed_dims=96, num_layers=6, num_heads=3, feedforward_channels=192
        ),
        img_size=32,
        patch_size=4,
    ),
    head=dict(
        type='VisionTransformerClsHead',
        num_classes=10,
        in_channels=96,
        init_cfg=None,  # as the rest
        loss=dict(type='LabelSmoothLoss', label_smooth_val=0.1),
    ),
    # Narrow layers suffer from less.
    init_cfg=[
        dict(type='Xavier', layer='Linear', distribution='uniform'),
        dict(type='Constant', layer='LayerNorm', val=1.0, bias=0.0),
    ],
)
