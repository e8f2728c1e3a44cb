# CvT-mini on your own photos without DRLoc.
#
# Data:  data/photos/{train,val}/<class>/*, or any other by --dataset.
# Train: python tools/train.py configs/photos/cvt-mini_64px.py
#        python tools/train.py configs/photos/cvt-mini_64px.py --dataset ~/pets
# Published: none, the data are yours.
# Measured: 69.23 ± 0.10 % top-1 on flowers, 70.09 ± 3.32 % on clothes
# (seeds 0, 1; README.md).
_base_ = [
    '../_base_/models/cvt-mini-3stages_cls.py',
    '../_base_/protocols/photos_30e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
