# CvT-13 (Wu et al., 2021) as in the DRLoc experiments: no class token, no
# final norm, no drop path.
model = dict(
    type='mmpretrain.ImageClassifier',
    backbone=dict(type='mmdrloc.CvT', arch='13', variant='drloc'),
    neck=dict(type='mmpretrain.GlobalAveragePooling'),
    head=dict(
        type='mmpretrain.LinearClsHead',
        num_classes=1000,
        in_channels=384,
        init_cfg=None,  # PyTorch's own
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
