# UperNet on photos of streets at a size that two processor cores manage.
# Train: mmdrloc train camvid/upernet_botnet-mini
# Measured: from photos/botnet-mini_64px_drloc.py, trained on clothes, 31.56 ±
#     0.21 mIoU (seeds 0-2).
_base_ = [
    '../_base_/models/upernet_mini.py',
    '../_base_/datasets/camvid_bs4_176.py',
    '../_base_/schedules/upernet_mini_adamw_500it.py',
    '../_base_/mmseg_runtime.py',
]

# The network of photos/botnet-mini_64px.py: maps of strides 4, 8, 16 and 16.
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmdrloc.BoTNet',
        depth=18,
        stem_channels=32,
        base_channels=32,
        strides=(1, 2, 2, 1),
        out_indices=(0, 1, 2, 3),
    ),
    decode_head=dict(in_channels=[32, 64, 128, 256]),
    auxiliary_head=dict(in_channels=128),
)
