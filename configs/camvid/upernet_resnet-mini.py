# UperNet on photos of streets at a size that two processor cores manage.
# Train: mmdrloc train camvid/upernet_resnet-mini
# Measured: from photos/resnet-mini_64px.py, trained on clothes, 38.30 ± 0.34
#     mIoU (seeds 0-2).
_base_ = [
    '../_base_/models/upernet_mini.py',
    '../_base_/datasets/camvid_bs4_176.py',
    '../_base_/schedules/upernet_mini_adamw_500it.py',
    '../_base_/mmseg_runtime.py',
]

# The network of photos/resnet-mini_64px.py: maps of strides 4 to 32.
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmpretrain.ResNet',
        depth=18,
        stem_channels=32,
        base_channels=32,
        out_indices=(0, 1, 2, 3),
    ),
    decode_head=dict(in_channels=[32, 64, 128, 256]),
    auxiliary_head=dict(in_channels=128),
)
