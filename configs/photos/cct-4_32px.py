# CCT-4/3x2 on small photos without DRLoc.
_base_ = [
    '../_base_/models/cct-4.py',
    '../_base_/datasets/cifar10_photos_bs128_32.py',
    '../_base_/schedules/photos_bs128_adamw_25e.py',
    '../_base_/default_runtime.py',
]
