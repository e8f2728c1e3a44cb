# ResNet-18, half as wide, for photos.
# Train: mmdrloc train photos/resnet-mini_64px --dataset FOLDER
# Measured: in 34 epochs 77.81 ± 1.62 % top-1 on flowers, 79.86 ± 2.16 % on
#     clothes (seeds 0-2, on 736 and 341 validation photos; README.md).
_base_ = [
    '../_base_/models/resnet-mini.py',
    '../_base_/datasets/photos_bs16_64.py',
    '../_base_/schedules/photos_bs16_adamw_30e.py',
    '../_base_/default_runtime.py',
]
model = dict(
    backbone=dict(type='ResNet', stem_channels=32, base_channels=32),
    head=dict(in_channels=256, num_classes=2),
)
optim_wrapper = dict(optimizer=dict(lr=1e-3))
