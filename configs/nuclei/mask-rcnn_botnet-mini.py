# Mask R-CNN on nuclei of cells at a size that two processor cores manage.
# Train: mmdrloc train nuclei/mask-rcnn_botnet-mini
# Measured: from photos/botnet-mini_64px_drloc.py, trained on clothes, 27.60 ±
#     1.23 box AP and 24.73 ± 1.25 mask AP (seeds 0-2).
_base_ = [
    '../_base_/models/mask-rcnn_mini.py',
    '../_base_/datasets/nuclei_bs2_192.py',
    '../_base_/schedules/nuclei_adamw_4e.py',
    '../_base_/mmdet_runtime.py',
]

# The network of photos/botnet-mini_64px.py: maps of strides 4, 8 and 16; the
# pyramid makes the coarser ones.
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmdrloc.BoTNet',
        depth=18,
        stem_channels=32,
        base_channels=32,
        strides=(1, 2, 2, 1),
        out_indices=(0, 1, 3),
    ),
    neck=dict(in_channels=[32, 64, 256]),
)
