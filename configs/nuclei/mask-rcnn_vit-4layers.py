# Mask R-CNN with the ViT of evidence/vit-4layers.py, on nuclei of cells.
# Train: mmdrloc train nuclei/mask-rcnn_vit-4layers \
#      --weights work_dirs/vit-4layers_augmented_cifar10_photos
# Measured: from 3,000 iterations of evidence/vit-4layers.py at the tenfold
#     rate on all images of CIFAR-10 box AP 25.87 ± 1.36, mask AP 23.47 ±
#     1.04 (seeds 0 to 2).
_base_ = [
    '../_base_/models/mask-rcnn_mini.py',
    '../_base_/datasets/nuclei_bs2_192.py',
    '../_base_/schedules/nuclei_adamw_4e.py',
    '../_base_/mmdet_runtime.py',
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
    neck=[
        dict(
            type='mmseg.MultiLevelNeck',
            in_channels=[96, 96],
            out_channels=96,
            scales=[1, 0.5],
        ),
        dict(
            type='FPN',
            in_channels=[96, 96],
            out_channels=64,
            norm_cfg=dict(type='GN', num_groups=16, requires_grad=True),
            num_outs=5,
        ),
    ],
)
