# t2t-vit-14.py with DRLoc on the normalised 14x14 grid, pooled to 7x7.
# Train: python tools/train.py configs/official/t2t-vit-14_drloc.py
_base_ = './t2t-vit-14.py'

model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        convention='official',
        source='norm',
        in_channels=384,
        pool='avg3x3s2',
        loss=dict(
            type='mmdrloc.DRLocL1Loss', normalize='none', loss_weight=0.1
        ),
    ),
)
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]
