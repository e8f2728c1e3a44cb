# swin-tiny_official.py with DRLoc on the 7x7 grid before the last norm.
# Train: mmdrloc train official/swin-tiny_official_drloc
_base_ = './swin-tiny_official.py'

# Distances in cells, and a weight that rises for 20 epochs and then falls to 0
# at the end of the 300 of which the first 101 are run.
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        convention='official',
        source='stages.3',
        in_channels=768,
        loss=dict(
            type='mmdrloc.DRLocL1Loss', normalize='none', loss_weight=0.5
        ),
    ),
)
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]
