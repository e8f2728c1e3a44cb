# DeiT-Tiny without distillation (Touvron et al., 2021).
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='mmdrloc.DeiT', arch='deit-tiny', img_size=224, patch_size=16
    ),
    head=dict(
        type='VisionTransformerClsHead',
        num_classes=1000,
        in_channels=192,
        init_cfg=None,  # as the rest
        loss=dict(type='LabelSmoothLoss', label_smooth_val=0.1),
    ),
    init_cfg=dict(type='TruncNormal', layer='Linear', std=0.02, bias=0.0),
)
