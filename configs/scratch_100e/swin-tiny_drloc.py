# swin-tiny.py with DRLoc on the 7x7 grid before the last norm.
# Train: python tools/train.py configs/scratch_100e/swin-tiny_drloc.py
# Published: 83.89 top-1 on CIFAR-10, 66.23 top-1 on CIFAR-100
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
