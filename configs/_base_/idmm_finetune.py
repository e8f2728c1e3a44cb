# What every fine-tuning of IDMM's shares: Mixup in even epochs, CutMix in
# odd ones. (Folding mu as the official code does gives Mixup the same images
# in another order: mmpretrain's own serves.)
_base_ = './cls_runtime.py'

default_hooks = dict(checkpoint=dict(interval=10))
custom_hooks = [
    dict(
        type='mmdrloc.AlternatingAugmentsHook',
        augments=[
            dict(type='mmpretrain.Mixup', alpha=0.5),
            dict(type='mmdrloc.FoldedCutMix', alpha=0.5),
        ],
    )
]
