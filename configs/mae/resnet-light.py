# A ResNet of the light ViT's size from random weights, 100 epochs at 36 px.
_base_ = [
    '../_base_/datasets/cifar10_bs128_36.py',
    '../_base_/schedules/mae_bs128_adamw_100e.py',
    '../_base_/default_runtime.py',
]

# The choice is ours: ResNet-18 in 36 channels instead of 64, with the stem of
# small images: 3 x 3, no stride, no pooling.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='ResNet_CIFAR',
        depth=18,
        stem_channels=36,
        base_channels=36,
        zero_init_residual=False,
    ),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(
        type='LinearClsHead',
        num_classes=10,
        in_channels=288,
        init_cfg=None,  # PyTorch's own
        loss=dict(
            type='LabelSmoothLoss', label_smooth_val=0.1, mode='original'
        ),
    ),
    train_cfg=dict(
        augments=[
            dict(type='Mixup', alpha=0.8),
            dict(type='CutMix', alpha=1.0),
        ]
    ),
)
