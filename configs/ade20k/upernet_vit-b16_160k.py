# UperNet with ViT-B/16, a plain transformer, from --weights.
# Train: mmdrloc train ade20k/upernet_vit-b16_160k \
#      --weights work_dirs/vit-b16_drloc_imagenet-100
_base_ = './upernet_deit-tiny_160k.py'

model = dict(
    backbone=dict(
        arch='base', qkv_bias=False, norm_cfg=dict(type='LN', eps=1e-5)
    ),
    neck=dict(embed_dim=768),
    decode_head=dict(in_channels=[768, 768, 768, 768]),
    auxiliary_head=dict(in_channels=768),
)
