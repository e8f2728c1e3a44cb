# A ViT of 4 layers without DRLoc.
# Train: mmdrloc train evidence/vit-4layers
# Measured: 43.31 ± 0.59 % top-1 (seeds 0-4, 2,000 of the test photos).
_base_ = [
    '../_base_/models/vit-4layers.py',
    '../_base_/datasets/cifar10-5k_bs32_32.py',
    '../_base_/schedules/evidence_bs32_adamw_1500it.py',
    '../_base_/default_runtime.py',
]
default_hooks = dict(checkpoint=dict(by_epoch=False, interval=250))
