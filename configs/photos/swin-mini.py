# Swin-mini on your own photos without DRLoc.
# Train: mmdrloc train photos/swin-mini --dataset FOLDER
# Measured: 70.18 ± 0.86 % top-1 on flowers, 64.52 ± 0.41 % on clothes (seeds
#     0, 1, on 736 and 341 validation photos; README.md).
_base_ = [
    '../_base_/datasets/photos_bs16_64.py',
    '../_base_/schedules/photos_bs16_adamw_30e.py',
    '../_base_/default_runtime.py',
]

# For small photos and two processor cores, 2.0 million parameters: four stages
# as Swin-T, a third as wide.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='SwinTransformer',
        arch=dict(embed_dims=32, depths=[2, 2, 2, 2], num_heads=[1, 2, 4, 8]),
        img_size=64,
        window_size=4,
        drop_path_rate=0.0,
        out_indices=(3,),
        # The same arithmetic in classification as in detection.
        pad_small_map=True,
        init_cfg=dict(type='Xavier', layer='Linear'),
    ),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(
        type='LinearClsHead',
        num_classes=2,
        in_channels=256,
        loss=dict(type='CrossEntropyLoss'),
    ),
)
