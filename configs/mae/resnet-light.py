# A ResNet of the light ViT's size (36 channels, our choice) from random
# weights, 100 epochs at 36 px.
# Train: mmdrloc train mae/resnet-light
_base_ = [
    '../_base_/models/resnet-mini.py',
    '../_base_/datasets/cifar10_bs128_36.py',
    '../_base_/schedules/mae_bs128_adamw_100e.py',
    '../_base_/default_runtime.py',
]
model = dict(
    backbone=dict(
        stem_channels=36, base_channels=36, zero_init_residual=False
    ),
    head=dict(in_channels=288, init_cfg=None),  # PyTorch's own
    train_cfg=dict(
        augments=[
            dict(type='Mixup', alpha=0.8),
            dict(type='CutMix', alpha=1.0),
        ]
    ),
)
