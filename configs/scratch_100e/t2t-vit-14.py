# T2T-ViT-14 from scratch in 100 epochs, without DRLoc.
# Train: mmdrloc train scratch_100e/t2t-vit-14
_base_ = [
    '../_base_/models/t2t-vit-14.py',
    '../_base_/datasets/cifar10_bs128_224.py',
    '../_base_/schedules/bs1024_adamw_100e.py',
    '../_base_/default_runtime.py',
]
model = dict(head=dict(num_classes=10))
