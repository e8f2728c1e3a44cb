# ViT-B/16 with DRLoc as the official code runs it, on all 14x14 cells.
_base_ = './vit-b16_drloc.py'

model = dict(
    auxiliary_head=dict(
        pool=None, convention='official', loss=dict(normalize='none')
    )
)
custom_hooks = [dict(type='mmdrloc.DRLocWeightHook')]
