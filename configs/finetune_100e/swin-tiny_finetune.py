# Swin-T from ImageNet-1K weights in 100 epochs, without DRLoc.
# Train: mmdrloc train finetune_100e/swin-tiny_finetune \
#      --weights swin_tiny_patch4_window7_224.pth
_base_ = [
    'mmpretrain::_base_/models/swin_transformer/tiny_224.py',
    '../_base_/datasets/cifar10_bs128_224.py',
    '../_base_/schedules/bs1024_adamw_100e_finetune.py',
    '../_base_/default_runtime.py',
]
model = dict(
    backbone=dict(init_cfg=dict(type='Pretrained', prefix='backbone.')),
    head=dict(num_classes=10),
)
