# ResNet-50 with DRLoc as the official code runs it: distances in cells, and a
# weight that rises for 20 epochs and then falls to 0. Its lambda is the
# program's default; the paper names none.
_base_ = './resnet-50_drloc.py'

model = dict(
    auxiliary_head=dict(
        convention='official', loss=dict(normalize='none', loss_weight=0.5)
    )
)
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook')]
