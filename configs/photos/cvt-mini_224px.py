# cvt-mini_64px.py at 224 pixels.
#
# Data:  data/photos/{train,val}/<class>/*, or any other by --dataset.
# Train: python tools/train.py configs/photos/cvt-mini_224px.py \
#            --dataset ~/pets
# Published: none, the data are yours.
# Measured: not measured.
_base_ = [
    '../_base_/models/cvt-mini-3stages_cls.py',
    '../_base_/protocols/photos-224px_30e.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
