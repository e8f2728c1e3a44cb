# CCT-4 (Hassani et al., 2021), 0.5 million parameters: two convolutions of 3
# pixels make 8x8 tokens of 32 px. Dropout as its authors'.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='mmdrloc.CCT',
        arch='4',
        img_size=32,
        kernel_size=3,
        num_convs=2,
        drop_path_rate=0.1,
        layer_cfgs=dict(attn_drop_rate=0.1),
    ),
    neck=dict(type='mmdrloc.SeqPool', in_channels=128),
    head=dict(
        type='LinearClsHead',
        num_classes=10,
        in_channels=128,
        init_cfg=dict(type='TruncNormal', layer='Linear', std=0.02),
        loss=dict(
            type='LabelSmoothLoss', label_smooth_val=0.1, mode='original'
        ),
    ),
)
