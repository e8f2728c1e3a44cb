# DeiT-Tiny in 100 epochs at 224 pixels, from random weights or IDMM's.
# Train: python tools/train.py configs/scratch_100e/deit-tiny.py \
#      --dataset imagenet-1k
# Published: 66.8 top-1 on ImageNet-1K from random
_base_ = [
    '../_base_/models/deit-tiny.py',
    '../_base_/datasets/cifar10_bs128_224.py',
    '../_base_/schedules/bs1024_adamw_100e.py',
    '../_base_/default_runtime.py',
]

model = dict(
    head=dict(num_classes=10),
    train_cfg=dict(
        augments=[
            dict(type='Mixup', alpha=0.8),
            dict(type='CutMix', alpha=1.0),
        ]
    ),
)
