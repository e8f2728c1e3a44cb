# T2T-ViT-7 with Performer tokens (Yuan et al., 2021).
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='mmdrloc.PerformerT2TViT',
        img_size=224,
        embed_dims=256,
        num_layers=7,
        drop_path_rate=0.1,
        layer_cfgs=dict(num_heads=4, feedforward_channels=2 * 256),
    ),
    head=dict(
        type='VisionTransformerClsHead',
        num_classes=1000,
        in_channels=256,
        init_cfg=None,  # as the rest
        loss=dict(type='LabelSmoothLoss', label_smooth_val=0.1),
    ),
    init_cfg=dict(type='TruncNormal', layer='Linear', std=0.02, bias=0.0),
)
