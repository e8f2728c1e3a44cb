# Mask R-CNN with ViT-B/16, a plain transformer, from --weights.
# Train: mmdrloc train coco/mask-rcnn_vit-b16_1x \
#      --weights work_dirs/vit-b16_drloc_imagenet-100
_base_ = './mask-rcnn_deit-tiny_1x.py'

model = dict(
    backbone=dict(
        arch='base', qkv_bias=False, norm_cfg=dict(type='LN', eps=1e-5)
    ),
    neck=[
        dict(type='mmseg.Feature2Pyramid', embed_dim=768),
        dict(
            type='FPN',
            in_channels=[768, 768, 768, 768],
            out_channels=256,
            num_outs=5,
        ),
    ],
)
