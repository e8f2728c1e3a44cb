# swin-tiny.py with DRLoc on the 7x7 grid before the last norm.
# Train: mmdrloc train scratch_100e/swin-tiny_drloc
_base_ = './swin-tiny.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.3',
        in_channels=768,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.5),
    ),
)
