# CoAtNet of about the cost of resnet-mini_64px.py: two stages of convolutions,
# two of attention.
# Train: python tools/train.py configs/photos/coatnet-mini_64px.py
# Measured: 80.03 % top-1 on flowers, 72.14 % on clothes (seed 0; README.md).
_base_ = [
    '../_base_/datasets/photos_bs16_64.py',
    '../_base_/schedules/photos_bs16_adamw_30e.py',
    '../_base_/default_runtime.py',
]

# Dai et al. (2021), timm's: grids of 16x16, 8x8, 4x4 and 2x2, 1.0 million
# parameters.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='TIMMBackbone',
        model_name='coatnet_nano_rw_224',
        img_size=64,
        stem_width=(16, 32),
        embed_dim=(32, 64, 128, 192),
        depths=(1, 1, 3, 1),
    ),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(
        type='LinearClsHead',
        num_classes=2,
        in_channels=192,
        init_cfg=dict(type='TruncNormal', layer='Linear', std=0.02),
        loss=dict(
            type='LabelSmoothLoss', label_smooth_val=0.1, mode='original'
        ),
    ),
)
optim_wrapper = dict(optimizer=dict(lr=1e-3))
