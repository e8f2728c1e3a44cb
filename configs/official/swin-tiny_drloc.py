# swin-tiny.py with DRLoc on the 7x7 grid before the last norm, as the official
# code runs it; nothing else differs.
#
# Train: python tools/train.py configs/official/swin-tiny_drloc.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/official/swin-tiny_drloc.py 8 \
#            --dataset cifar10
# Published: none; the published recipe is
#     configs/scratch_100e/swin-tiny_drloc.py.
# Measured: not measured.
_base_ = ['./swin-tiny.py', '../_base_/drloc_official.py']

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        _base_.official_head,
        source='stages.3',
        in_channels=768,
        loss=dict(_base_.official_loss, loss_weight=0.5),
    ),
)
