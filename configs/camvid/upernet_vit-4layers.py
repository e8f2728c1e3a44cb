# UperNet with the ViT of evidence/vit-4layers.py, on photos of streets.
# Train: mmdrloc train camvid/upernet_vit-4layers \
#      --weights work_dirs/vit-4layers_augmented_cifar10_photos
# Measured: from evidence/vit-4layers_augmented.py 33.10 ± 0.62 mIoU (seeds
#     0-2).
_base_ = [
    '../_base_/models/upernet_mini.py',
    '../_base_/datasets/camvid_bs4_176.py',
    '../_base_/schedules/upernet_mini_adamw_500it.py',
    '../_base_/mmseg_runtime.py',
]

# Maps of strides 4 and 8, from the layers that see the whole image.
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmdrloc.DenseViT',
        arch=dict(
            embed_dims=96, num_layers=4, num_heads=3, feedforward_channels=384
        ),
        img_size=32,
        patch_size=4,
        with_cls_token=False,
        out_indices=(1, 3),
        window_size=8,
    ),
    neck=dict(
        type='MultiLevelNeck',
        in_channels=[96, 96],
        out_channels=96,
        scales=[1, 0.5],
    ),
    decode_head=dict(in_channels=[96, 96], in_index=[0, 1]),
    auxiliary_head=dict(in_channels=96, in_index=1),
)
