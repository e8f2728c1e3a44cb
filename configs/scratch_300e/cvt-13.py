# CvT-13 from scratch in 300 epochs, without DRLoc.
# Train: python tools/train.py configs/scratch_300e/cvt-13.py \
#      --dataset imagenet-100
# Published: 90.16 top-1 on ImageNet-100, 29.76 top-1 on DomainNet Infograph
_base_ = [
    '../_base_/models/cvt-13.py',
    '../_base_/datasets/cifar10_bs128_224.py',
    '../_base_/schedules/bs1024_adamw_100e.py',
    '../_base_/default_runtime.py',
]

model = dict(head=dict(num_classes=10))
train_cfg = dict(max_epochs=300)
