# Mask R-CNN on nuclei of cells at a size that two processor cores manage.
# Train: mmdrloc train nuclei/mask-rcnn_resnet-mini
# Measured: from photos/resnet-mini_64px.py, trained on clothes, 29.50 ± 2.62
#     box AP and 26.30 ± 2.34 mask AP (seeds 0-2).
_base_ = [
    '../_base_/models/mask-rcnn_mini.py',
    '../_base_/datasets/nuclei_bs2_192.py',
    '../_base_/schedules/nuclei_adamw_4e.py',
    '../_base_/mmdet_runtime.py',
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
    neck=dict(in_channels=[32, 64, 128, 256]),
)
