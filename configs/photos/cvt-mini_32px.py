# CvT-mini on small photos without DRLoc.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Train: python tools/train.py configs/photos/cvt-mini_32px.py \
#            --dataset cifar10_photos
# Published: none.
# Measured: 82.11 % top-1 (seed 0), 1,574 s of one processor core.
_base_ = [
    '../_base_/models/cvt-mini_cls.py',
    '../_base_/protocols/photos-32px_25e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
