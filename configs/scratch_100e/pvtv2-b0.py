# PVTv2-B0 in 100 epochs at 224 pixels, from random weights or IDMM's.
# Train: mmdrloc train scratch_100e/pvtv2-b0
# The schedule, without drop path, is DRLoc's; the poster names none.
_base_ = [
    '../_base_/models/pvtv2-b0.py',
    '../_base_/datasets/imagenet_bs128_224.py',
    '../_base_/schedules/bs1024_adamw_100e.py',
    '../_base_/default_runtime.py',
]
model = dict(
    train_cfg=dict(
        augments=[
            dict(type='Mixup', alpha=0.8),
            dict(type='CutMix', alpha=1.0),
        ]
    )
)
