# A ResNet of about the cost of vit-4layers.py.
# Train: mmdrloc train evidence/resnet-mini
# Measured: 47.47 ± 0.67 % top-1 (seeds 0-2, 2,000 of the test photos); at a
#     rate of 4e-3, 1,605 iterations, 58.42 ± 0.79 % (seeds 0-2, all of them).
_base_ = [
    '../_base_/models/resnet-mini.py',
    '../_base_/datasets/cifar10-5k_bs32_32.py',
    '../_base_/schedules/evidence_bs32_adamw_1500it.py',
    '../_base_/default_runtime.py',
]
default_hooks = dict(checkpoint=dict(by_epoch=False, interval=250))
