# swin-tiny_drloc.py with DRLoc on every block.
# Train: mmdrloc train scratch_100e/swin-tiny_drloc-all --dataset imagenet-100
_base_ = './swin-tiny.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.*.blocks.*',
        in_channels=[96] * 2 + [192] * 2 + [384] * 6 + [768] * 2,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.5),
    ),
)
