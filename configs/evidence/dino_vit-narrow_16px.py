# DINO, the rest as simclr_vit-narrow_16px.py: two equal crops, without the
# small ones, blur and solarisation of its authors (those of the poster are in
# idmm/pretrain/dino_deit-tiny.py). The head is smaller than theirs; rate and
# decay of weights are IDMM's.
# Train: mmdrloc train evidence/dino_vit-narrow_16px --dataset cifar10-500
# Measured: fine-tuned as IDMM is, 36.87 ± 0.83 % top-1 (seeds 0-2).
_base_ = './simclr_vit-narrow_16px.py'
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
train_cfg = dict(max_epochs=360)
