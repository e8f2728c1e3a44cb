# CCT-4/7x2 on your own photos without DRLoc.
_base_ = [
    '../_base_/models/cct-4.py',
    '../_base_/datasets/photos_bs16_64.py',
    '../_base_/schedules/photos_bs16_adamw_30e.py',
    '../_base_/default_runtime.py',
]

# Two convolutions of 7 pixels make 4x4 tokens.
model = dict(
    backbone=dict(img_size=64, kernel_size=7), head=dict(num_classes=2)
)
