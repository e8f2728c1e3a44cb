# Swin-T from scratch in 300 epochs, without DRLoc.
# Train: python tools/train.py configs/scratch_300e/swin-tiny.py \
#      --dataset imagenet-100
# Published: 89.68 top-1 on ImageNet-100, 81.2 top-1 on ImageNet-1K
_base_ = [
    'mmpretrain::_base_/models/swin_transformer/tiny_224.py',
    '../_base_/datasets/cifar10_bs128_224.py',
    '../_base_/schedules/bs1024_adamw_100e.py',
    '../_base_/default_runtime.py',
]

model = dict(head=dict(num_classes=10))
train_cfg = dict(max_epochs=300)
