# swin-tiny_fixed-positions.py with DRLoc.
# Train: python tools/train.py \
#      configs/scratch_100e/swin-tiny_fixed-positions_drloc.py
_base_ = './swin-tiny_fixed-positions.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='stages.3',
        in_channels=768,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.5),
    ),
)
