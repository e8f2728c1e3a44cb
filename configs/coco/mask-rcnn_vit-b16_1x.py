# Mask R-CNN with ViT-B/16, a plain transformer, from --weights.
# Train: python tools/train.py configs/coco/mask-rcnn_vit-b16_1x.py \
#      --weights work_dirs/vit-b16_drloc_imagenet-100
_base_ = [
    'mmdet::_base_/models/mask-rcnn_r50_fpn.py',
    '../_base_/datasets/coco_instance.py',
    '../_base_/schedules/coco_adamw_1x_layer-decay.py',
    'mmdet::_base_/default_runtime.py',
]

# As in ViTDet: layers of the four maps see the whole image, others windows.
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmdrloc.DenseViT',
        arch='base',
        img_size=224,
        patch_size=16,
        out_indices=(2, 5, 8, 11),
        window_size=14,
        drop_path_rate=0.1,
        qkv_bias=False,
        norm_cfg=dict(type='LN', eps=1e-5),
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
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
