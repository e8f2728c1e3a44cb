# Swin-T with DRLoc as the official code runs it: distances in cells, and a
# weight that rises for 20 epochs and then falls to 0.
_base_ = './swin-tiny_drloc.py'

model = dict(
    auxiliary_head=dict(convention='official', loss=dict(normalize='none'))
)
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook')]
