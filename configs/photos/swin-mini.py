# Swin-mini on your own photos without DRLoc.
#
# Data:  data/photos/{train,val}/<class>/*, or any other by --dataset.
# Train: python tools/train.py configs/photos/swin-mini.py
#        python tools/train.py configs/photos/swin-mini.py --dataset ~/pets
# Published: none, the data are yours.
# Measured: 70.18 ± 0.86 % top-1 on flowers, 64.52 ± 0.41 % on clothes
# (seeds 0, 1; README.md).
_base_ = [
    '../_base_/models/swin-mini_cls.py',
    '../_base_/protocols/photos_30e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
