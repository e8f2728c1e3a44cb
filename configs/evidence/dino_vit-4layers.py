# DINO, the rest as simclr_vit-4layers.py; see dino_vit-narrow_16px.py for what
# is left out of its authors' recipe.
# Train: mmdrloc train evidence/dino_vit-4layers --dataset cifar10-5k
# Measured: docs/pretraining.md.
_base_ = './simclr_vit-4layers.py'
model = dict(
    type='mmdrloc.DINO',
    neck=dict(
        _delete_=True,
        type='mmdrloc.DINONeck',
        in_channels=96,
        num_prototypes=1024,
        hid_channels=384,
        bottleneck_channels=64,
    ),
    head=None,
)
custom_hooks = [
    dict(type='mmdrloc.DINOGradientsHook', max_norm=3.0, frozen_epochs=1)
]
