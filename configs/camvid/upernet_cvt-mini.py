# UperNet on photos of streets at a size that two processor cores manage: from
# random weights, or from those that --weights names.
#
# Data:  data/camvid240/{img,ann}/{train,val}/*
# Train: python tools/train.py configs/camvid/upernet_cvt-mini.py \
#            --dataset camvid
#        python tools/train.py configs/camvid/upernet_cvt-mini.py \
#            --dataset camvid \
#            --weights work_dirs/cvt-mini_32px_drloc_cifar10_photos
# Published: none.
# Measured: 22.43 ± 0.82 mIoU from random weights, 38.28 ± 0.76 from
# photos/cvt-mini_32px.py, 38.54 ± 0.68 from its twin (seeds 0-2).
_base_ = [
    '../_base_/models/upernet_cvt-mini.py',
    '../_base_/protocols/camvid_500it.py',
]

model = dict(
    data_preprocessor=_base_.batch,
    decode_head=_base_.head,
    auxiliary_head=_base_.head,
)
