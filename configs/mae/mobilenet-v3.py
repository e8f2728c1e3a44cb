# MobileNetV3-Small from random weights, 100 epochs at 36 px: one of the light
# networks beside MAE's; its recipe is ours.
# Train: mmdrloc train mae/mobilenet-v3
_base_ = [
    'mmpretrain::_base_/models/mobilenet_v3/mobilenet_v3_small_cifar.py',
    '../_base_/datasets/cifar10_bs128_36.py',
    '../_base_/schedules/mae_bs128_adamw_100e.py',
    '../_base_/default_runtime.py',
]
model = dict(
    head=dict(
        loss=dict(
            _delete_=True,
            type='LabelSmoothLoss',
            label_smooth_val=0.1,
            mode='original',
        )
    ),
    train_cfg=dict(
        augments=[
            dict(type='Mixup', alpha=0.8),
            dict(type='CutMix', alpha=1.0),
        ]
    ),
)
