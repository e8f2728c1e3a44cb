# A ViT of 4 layers without DRLoc.
# Train: python tools/train.py configs/evidence/vit-4layers.py
# Measured: 43.31 ± 0.59 % top-1 after 1,500 updates (seeds 0-4).
_base_ = [
    '../_base_/datasets/cifar10-5k_bs32_32.py',
    '../_base_/schedules/evidence_bs32_adamw_1500it.py',
    '../_base_/default_runtime.py',
]

# 8x8 tokens that are averaged: 0.5 million parameters.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='VisionTransformer',
        arch=dict(
            embed_dims=96, num_layers=4, num_heads=3, feedforward_channels=384
        ),
        img_size=32,
        patch_size=4,
        with_cls_token=False,
        out_type='avg_featmap',
    ),
    head=dict(
        type='LinearClsHead',
        num_classes=10,
        in_channels=96,
        loss=dict(
            type='LabelSmoothLoss', label_smooth_val=0.1, mode='original'
        ),
    ),
)
default_hooks = dict(checkpoint=dict(by_epoch=False, interval=250))
