# CCT-4/7x2 on your own photos without DRLoc.
_base_ = [
    '../_base_/datasets/photos_bs16_64.py',
    '../_base_/schedules/photos_bs16_adamw_30e.py',
    '../_base_/default_runtime.py',
]

# Hassani et al. (2021), 0.5 million parameters: two convolutions of 7 pixels
# make 4x4 tokens. Dropout as its authors'.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='mmdrloc.CCT',
        arch='4',
        img_size=64,
        kernel_size=7,
        num_convs=2,
        drop_path_rate=0.1,
        layer_cfgs=dict(attn_drop_rate=0.1),
    ),
    neck=dict(type='mmdrloc.SeqPool', in_channels=128),
    head=dict(
        type='LinearClsHead',
        num_classes=2,
        in_channels=128,
        init_cfg=dict(type='TruncNormal', layer='Linear', std=0.02),
        loss=dict(
            type='LabelSmoothLoss', label_smooth_val=0.1, mode='original'
        ),
    ),
)
