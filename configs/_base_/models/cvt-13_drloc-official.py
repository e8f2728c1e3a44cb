# CvT-13 with DRLoc as the official code runs it.
_base_ = './cvt-13_drloc.py'

model = dict(
    backbone=dict(drop_path_rate=0.0),
    auxiliary_head=dict(
        pool='avg3x3s2', convention='official', loss=dict(normalize='none')
    ),
)
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook')]
