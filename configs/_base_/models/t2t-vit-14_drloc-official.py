# T2T-ViT-14 with DRLoc as the official code runs it.
_base_ = './t2t-vit-14_drloc.py'

model = dict(
    backbone=dict(drop_path_rate=0.0),
    auxiliary_head=dict(
        pool='avg3x3s2', convention='official', loss=dict(normalize='none')
    ),
)
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook')]
