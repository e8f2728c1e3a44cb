# T2T-ViT-14 with Performer tokens (Yuan et al., 2021) and their drop path,
# 0.1, as section 5 of the DRLoc paper asks.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='mmdrloc.PerformerT2TViT',
        img_size=224,
        embed_dims=384,
        num_layers=14,
        drop_path_rate=0.1,
        layer_cfgs=dict(num_heads=6, feedforward_channels=3 * 384),
    ),
    neck=None,
    head=dict(
        type='VisionTransformerClsHead',
        num_classes=1000,
        in_channels=384,
        init_cfg=None,  # as the rest
        loss=dict(type='LabelSmoothLoss', label_smooth_val=0.1),
    ),
    init_cfg=dict(type='TruncNormal', layer='Linear', std=0.02, bias=0.0),
    train_cfg=dict(
        augments=[
            dict(type='Mixup', alpha=0.8),
            dict(type='CutMix', alpha=1.0),
        ]
    ),
)
