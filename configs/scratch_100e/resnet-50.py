# ResNet-50 from scratch in 100 epochs, without DRLoc.
# Train: mmdrloc train scratch_100e/resnet-50
_base_ = [
    '../_base_/models/resnet-50.py',
    '../_base_/datasets/cifar10_bs128_224.py',
    '../_base_/schedules/bs1024_adamw_100e.py',
    '../_base_/default_runtime.py',
]
model = dict(head=dict(num_classes=10))
