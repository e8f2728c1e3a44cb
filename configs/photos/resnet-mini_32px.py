# A ResNet of about the cost of cvt-mini_32px.py on small photos.
# Train: mmdrloc train photos/resnet-mini_32px --amp
# Measured: 85.06 % top-1 (seed 0, 10,000 test photos; no record is kept),
#     1,499 s of one processor core, part of the time beside other work.
_base_ = [
    '../_base_/models/resnet-mini.py',
    '../_base_/datasets/cifar10_photos_bs128_32.py',
    '../_base_/schedules/photos_bs128_adamw_25e.py',
    '../_base_/default_runtime.py',
]
