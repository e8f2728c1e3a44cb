# t2t-vit-14.py with DRLoc on the normalised 14x14 grid, pooled to 7x7, as the
# official code runs it; nothing else differs.
#
# Train: python tools/train.py configs/official/t2t-vit-14_drloc.py \
#            --dataset cifar10
# 8 GPUs: bash tools/dist_train.sh configs/official/t2t-vit-14_drloc.py 8 \
#            --dataset cifar10
# Published: none; the published recipe is
#     configs/scratch_100e/t2t-vit-14_drloc.py.
# Measured: not measured.
_base_ = ['./t2t-vit-14.py', '../_base_/drloc_official.py']

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        _base_.official_head,
        source='norm',
        in_channels=384,
        pool='avg3x3s2',
        loss=dict(_base_.official_loss, loss_weight=0.1),
    ),
)
