# swin-tiny_drloc.py with DRLoc on every stage (`use_multiscale`).
#
# Train: python tools/train.py configs/official/swin-tiny_drloc-stages.py \
#            --dataset imagenet-100
# 8 GPUs: bash tools/dist_train.sh \
#            configs/official/swin-tiny_drloc-stages.py 8 \
#            --dataset imagenet-100
# Published: none; the published recipe is
#     configs/scratch_100e/swin-tiny_drloc-all.py.
# Measured: not measured.
_base_ = './swin-tiny_drloc.py'

model = dict(
    auxiliary_head=dict(
        source=['stages.[012].downsample', 'stages.3'],
        in_channels=[192, 384, 768, 768],
    )
)
