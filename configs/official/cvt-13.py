# CvT-13 as the official code trains it, without DRLoc.
#
# Train: python tools/train.py configs/official/cvt-13.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/official/cvt-13.py 8 \
#            --dataset cifar10
# Published: none; the published recipe is configs/scratch_100e/cvt-13.py.
# Note: no drop path, as the official code; the network's authors have 0.1.
# Note: the official code knows norms by their one dimension. Those of its CvT
#     have four (1, C, 1, 1) and are decayed.
# Measured: not measured.
_base_ = [
    '../_base_/models/cvt-13.py',
    '../_base_/protocols/official_101e.py',
]

model = dict(
    backbone=dict(drop_path_rate=0.0),
    head=dict(num_classes=_base_.num_classes),
)
optim_wrapper = dict(
    paramwise_cfg=dict(custom_keys={'.norm': dict(decay_mult=1.0)})
)
