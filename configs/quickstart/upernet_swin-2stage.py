# UperNet on scenes of handwritten digits, from random weights, or from those
# that --weights names.
#
# Data:  python tools/dataset_converters/digits.py
# Train: python tools/train.py configs/quickstart/upernet_swin-2stage.py \
#            --dataset digits_seg
#        python tools/train.py configs/quickstart/upernet_swin-2stage.py \
#            --dataset digits_seg --weights work_dirs/swin-2stage_drloc_digits
# Published: none, our own demo data.
# Measured: mIoU 50.6 (seed 0).
#     With --weights work_dirs/swin-2stage_digits: mIoU 61.6 (seed 0).
#     With --weights work_dirs/swin-2stage_drloc_digits: mIoU 61.0 (seed 0).
# Time: 3 min on one core; see docs/results.md.
_base_ = [
    '../_base_/models/upernet_swin-2stage.py',
    '../_base_/protocols/quickstart_seg.py',
]

model = dict(decode_head=_base_.head)
