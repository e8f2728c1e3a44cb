# swin-tiny_drloc.py with classes of distances: cross-entropy.
#
# Train: python tools/train.py configs/official/swin-tiny_drloc-ce.py \
#            --dataset imagenet-100
# 8 GPUs: bash tools/dist_train.sh configs/official/swin-tiny_drloc-ce.py 8 \
#            --dataset imagenet-100
# Published: none; the published recipe is
#     configs/scratch_100e/swin-tiny_drloc-ce.py.
# Measured: not measured.
_base_ = './swin-tiny_drloc.py'

model = dict(
    auxiliary_head=dict(
        grid_size=(7, 7), loss=dict(type='mmdrloc.DRLocCrossEntropyLoss')
    )
)
