# Mask R-CNN for people on photos at a size that two processor cores manage.
# Train: mmdrloc train coco_mini/mask-rcnn_swin-mini
# Measured: box AP 0.2, mask AP 0.0 (704 updates, seed 0).
_base_ = [
    '../_base_/models/mask-rcnn_mini.py',
    '../_base_/datasets/coco_mini_bs2_256.py',
    '../_base_/schedules/coco_mini_adamw_16e.py',
    '../_base_/mmdet_runtime.py',
]

# The network of photos/swin-mini.py.
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmpretrain.SwinTransformer',
        arch=dict(embed_dims=32, depths=[2, 2, 2, 2], num_heads=[1, 2, 4, 8]),
        img_size=64,
        window_size=4,
        drop_path_rate=0.0,
        out_indices=(0, 1, 2, 3),
        pad_small_map=True,
        init_cfg=dict(type='Xavier', layer='Linear'),
    ),
    neck=dict(in_channels=[32, 64, 128, 256]),
)
