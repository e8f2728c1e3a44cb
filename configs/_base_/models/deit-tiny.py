# DeiT-Tiny without distillation (Touvron et al., 2021).
model = dict(
    type='mmpretrain.ImageClassifier',
    backbone=dict(
        type='mmdrloc.DeiT',
        arch='deit-tiny',
        img_size=224,
        patch_size=16,
    ),
    neck=None,
    head=dict(
        type='mmpretrain.VisionTransformerClsHead',
        num_classes=1000,
        in_channels=192,
        init_cfg=None,  # as the rest
        loss=dict(
            type='mmpretrain.LabelSmoothLoss',
            label_smooth_val=0.1,
            mode='original',
        ),
    ),
    init_cfg=dict(type='TruncNormal', layer='Linear', std=0.02, bias=0.0),
    train_cfg=dict(
        augments=[
            dict(type='mmpretrain.Mixup', alpha=0.8),
            dict(type='mmpretrain.CutMix', alpha=1.0),
        ]
    ),
)
