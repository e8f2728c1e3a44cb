# Mask R-CNN of 64 channels with DINOv2 ViT-S/14.
_base_ = './mask-rcnn_mini.py'

# Cells of 14 px, from which the neck makes strides 3.5 to 28. The first half
# of the layers is not trained.
model = dict(
    data_preprocessor=dict(pad_size_divisor=28),
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
    neck=[
        dict(
            type='mmseg.MultiLevelNeck',
            in_channels=[384, 384, 384, 384],
            out_channels=64,
            scales=[4, 2, 1, 0.5],
        ),
        dict(
            type='FPN',
            in_channels=[64, 64, 64, 64],
            out_channels=64,
            norm_cfg=dict(type='GN', num_groups=16, requires_grad=True),
            num_outs=5,
        ),
    ],
    rpn_head=dict(anchor_generator=dict(strides=[3.5, 7, 14, 28, 56])),
    roi_head=dict(
        bbox_roi_extractor=dict(featmap_strides=[3.5, 7, 14, 28]),
        mask_roi_extractor=dict(featmap_strides=[3.5, 7, 14, 28]),
    ),
)
