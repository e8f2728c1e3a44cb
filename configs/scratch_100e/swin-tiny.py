# Swin-T from scratch in 100 epochs, without DRLoc.
# Train: mmdrloc train scratch_100e/swin-tiny
_base_ = [
    'mmpretrain::_base_/models/swin_transformer/tiny_224.py',
    '../_base_/datasets/cifar10_bs128_224.py',
    '../_base_/schedules/bs1024_adamw_100e.py',
    '../_base_/default_runtime.py',
]
model = dict(head=dict(num_classes=10))
