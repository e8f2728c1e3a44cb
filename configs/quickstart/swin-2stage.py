# Swin of two stages on handwritten digits, without DRLoc.
#
# Data:  python tools/dataset_converters/digits.py
# Train: python tools/train.py configs/quickstart/swin-2stage.py \
#            --dataset digits
# Published: none, our own demo data.
# Measured: 95.50 +- 0.25 % top-1 (last, seeds 0-2).
# Time: 3 min on one core; see docs/results.md.
_base_ = [
    '../_base_/models/swin-2stage_cls.py',
    '../_base_/protocols/quickstart_cls.py',
]

model = dict(head=dict(num_classes=_base_.num_classes))
