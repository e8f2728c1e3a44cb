# cvt-13.py with DRLoc on the 14x14 grid of the last stage, pooled to 7x7, as
# the official code runs it; nothing else differs.
#
# Train: python tools/train.py configs/official/cvt-13_drloc.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/official/cvt-13_drloc.py 8 \
#            --dataset cifar10
# Published: none; the published recipe is
#     configs/scratch_100e/cvt-13_drloc.py.
# Measured: not measured.
_base_ = ['./cvt-13.py', '../_base_/drloc_official.py']

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        _base_.official_head,
        source='stages.2',
        in_channels=384,
        pool='avg3x3s2',
        init_cfg=None,
        loss=dict(_base_.official_loss, loss_weight=0.1),
    ),
)
