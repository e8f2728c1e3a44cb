# swin-tiny_drloc.py with classes of distances: cross-entropy.
#
# Train: python tools/train.py configs/scratch_100e/swin-tiny_drloc-ce.py \
#            --dataset imagenet-100
# 8 GPUs: bash tools/dist_train.sh \
#            configs/scratch_100e/swin-tiny_drloc-ce.py 8 \
#            --dataset imagenet-100
# Published: Table 6 of the supplement: README.md.
# Note: the supplement's 2k + 1 = 15 classes an axis include two that no pair
#     of a 7x7 grid can have.
# Measured: not measured.
_base_ = './swin-tiny_drloc.py'

model = dict(
    auxiliary_head=dict(
        grid_size=(7, 7), loss=dict(type='mmdrloc.DRLocCrossEntropyLoss')
    )
)
