# UperNet with DINOv2 ViT-S/14 on photos of streets, from published weights.
# Train: mmdrloc train camvid/upernet_dinov2-small \
#      --weights vit_small_patch14_dinov2.lvd142m.safetensors
# Measured: 44.76 ± 0.31 mIoU (seeds 0-2, --amp).
_base_ = [
    '../_base_/models/upernet_mini.py',
    '../_base_/datasets/camvid_bs4_176.py',
    '../_base_/schedules/upernet_mini_adamw_500it.py',
    '../_base_/mmseg_runtime.py',
]

# Cells of 14 px, from which the neck makes strides 3.5 to 28. The first half
# of the layers is not trained. Images are padded to whole cells, or the map
# would be stretched over them.
model = dict(
    data_preprocessor=dict(size=(182, 182), test_cfg=dict(size_divisor=14)),
    backbone=dict(
        _delete_=True,
        type='mmdrloc.DenseViT',
        arch='dinov2-small',
        img_size=518,
        patch_size=14,
        layer_scale_init_value=1e-5,
        out_indices=(2, 5, 8, 11),
        frozen_stages=6,
        init_cfg=dict(type='Pretrained'),
    ),
    neck=dict(
        type='MultiLevelNeck',
        in_channels=[384, 384, 384, 384],
        out_channels=64,
        scales=[4, 2, 1, 0.5],
    ),
    decode_head=dict(in_channels=[64, 64, 64, 64]),
    auxiliary_head=dict(in_channels=64),
)

# New layers learn ten times as fast as those of the backbone: the best of
# three rates on held-out photos, with the loss and without.
optim_wrapper = dict(
    paramwise_cfg=dict(custom_keys=dict(backbone=dict(lr_mult=0.1)))
)
