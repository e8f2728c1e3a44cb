# t2t-vit-14.py with DRLoc on the normalised 14x14 grid, pooled to 7x7.
# Train: mmdrloc train scratch_100e/t2t-vit-14_drloc
_base_ = './t2t-vit-14.py'
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        source='norm',
        in_channels=384,
        pool='avg2x2',
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.1),
    ),
)
