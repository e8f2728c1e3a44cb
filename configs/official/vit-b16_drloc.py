# vit-b16.py with DRLoc on the 14x14 grid before the last norm.
_base_ = './vit-b16.py'

# Distances in cells, and a weight that rises for 20 epochs and then falls to 0
# at the end of the 300 of which the first 101 are run.
model = dict(
    type='mmdrloc.DRLocClassifier',
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        convention='official',
        source='layers.11',
        in_channels=768,
        pool=None,
        init_cfg=None,
        loss=dict(
            type='mmdrloc.DRLocL1Loss', normalize='none', loss_weight=0.01
        ),
    ),
)
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook', total_epochs=300)]
