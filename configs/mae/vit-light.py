# The lightweight ViT in 100 epochs at 36 pixels.
# Train: mmdrloc train mae/vit-light --weights work_dirs/mae_vit-light_cifar10
_base_ = [
    '../_base_/datasets/cifar10_bs128_36.py',
    '../_base_/schedules/mae_bs128_adamw_100e.py',
    '../_base_/default_runtime.py',
]

# 36 px (at second hand), 12 layers and FFN ratio 2 (from a later paper of the
# author). Patch size, width and heads are not known; see docs/mae.md.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='VisionTransformer',
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
        type='VisionTransformerClsHead',
        num_classes=10,
        in_channels=192,
        loss=dict(type='LabelSmoothLoss', label_smooth_val=0.1),
    ),
    # As the masked auto-encoder starts; narrow layers suffer from less.
    init_cfg=[
        dict(type='Xavier', layer='Linear', distribution='uniform'),
        dict(type='Constant', layer='LayerNorm', val=1.0, bias=0.0),
    ],
    train_cfg=dict(
        augments=[
            dict(type='Mixup', alpha=0.8),
            dict(type='CutMix', alpha=1.0),
        ]
    ),
)
