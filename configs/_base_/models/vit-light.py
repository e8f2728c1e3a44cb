# The lightweight ViT of the MAE experiments: 36 px (at second hand), 12 layers
# and FFN ratio 2 (from a later paper of the author). Patch size, width and
# heads are not known; see docs/mae.md.
model = dict(
    type='mmpretrain.ImageClassifier',
    backbone=dict(
        type='mmpretrain.VisionTransformer',
        arch=dict(
            embed_dims=192,
            num_layers=12,
            num_heads=3,
            feedforward_channels=384,
        ),
        img_size=36,
        patch_size=3,
        drop_path_rate=0.1,
    ),
    head=dict(
        type='mmpretrain.VisionTransformerClsHead',
        num_classes=1000,
        in_channels=192,
        loss=dict(
            type='mmpretrain.LabelSmoothLoss',
            label_smooth_val=0.1,
            mode='original',
        ),
    ),
    # As the masked auto-encoder starts; narrow layers suffer from less.
    init_cfg=[
        dict(type='Xavier', layer='Linear', distribution='uniform'),
        dict(type='Constant', layer='LayerNorm', val=1.0, bias=0.0),
    ],
    train_cfg=dict(
        augments=[
            dict(type='mmpretrain.Mixup', alpha=0.8),
            dict(type='mmpretrain.CutMix', alpha=1.0),
        ]
    ),
)
