# Swin-mini in one epoch, for the detector and the segmentor of this folder to
# start from; without DRLoc.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Train: python tools/train.py configs/coco_mini/swin-mini.py \
#            --dataset cifar10_photos
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/swin-mini_cls.py',
    '../_base_/protocols/photos_1e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
