# Swin-mini on your own photos without DRLoc.
# Measured: 70.18 ± 0.86 % top-1 on flowers, 64.52 ± 0.41 % on clothes (seeds
#     0, 1, on 736 and 341 validation photos; README.md).
_base_ = [
    '../_base_/models/swin-mini.py',
    '../_base_/datasets/photos_bs16_64.py',
    '../_base_/schedules/photos_bs16_adamw_30e.py',
    '../_base_/default_runtime.py',
]
