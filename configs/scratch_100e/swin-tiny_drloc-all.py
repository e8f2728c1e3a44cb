# swin-tiny_drloc.py with DRLoc on every block.
#
# Train: python tools/train.py configs/scratch_100e/swin-tiny_drloc-all.py \
#            --dataset imagenet-100
# 8 GPUs: bash tools/dist_train.sh \
#            configs/scratch_100e/swin-tiny_drloc-all.py 8 \
#            --dataset imagenet-100
# Published: Table 6 of the supplement: README.md.
# Note: a drop of 0.88; sections 1 and 6 say that DRLoc always improves, the
#     supplement that this is the only variant which underperforms.
# Measured: not measured.
_base_ = './swin-tiny_drloc.py'

model = dict(
    auxiliary_head=dict(
        source='stages.*.blocks.*',
        in_channels=[96] * 2 + [192] * 2 + [384] * 6 + [768] * 2,
    )
)
