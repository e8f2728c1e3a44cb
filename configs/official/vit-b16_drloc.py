# vit-b16.py with DRLoc on the 14x14 grid before the last norm, as the official
# code runs it; nothing else differs.
#
# Train: python tools/train.py configs/official/vit-b16_drloc.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/official/vit-b16_drloc.py 8 \
#            --dataset cifar10
# Published: none; the published recipe is
#     configs/scratch_100e/vit-b16_drloc.py.
# Measured: not measured.
_base_ = ['./vit-b16.py', '../_base_/drloc_official.py']

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        _base_.official_head,
        source='layers.11',
        in_channels=768,
        pool=None,
        init_cfg=None,
        loss=dict(_base_.official_loss, loss_weight=0.01),
    ),
)
