# swin-tiny_drloc.py with signed offsets.
#
# Train: python tools/train.py configs/scratch_100e/swin-tiny_drloc-signed.py \
#            --dataset imagenet-100
# 8 GPUs: bash tools/dist_train.sh \
#            configs/scratch_100e/swin-tiny_drloc-signed.py 8 \
#            --dataset imagenet-100
# Published: Table 6 of the supplement: README.md.
# Measured: not measured.
_base_ = './swin-tiny_drloc.py'

model = dict(auxiliary_head=dict(loss=dict(signed=True)))
