# Mask R-CNN with T2T-ViT-7, a plain transformer, from --weights.
# Train: python tools/train.py configs/coco/mask-rcnn_t2t-vit-7_1x.py \
#      --weights work_dirs/idmm_t2t-vit-7_sin-10k
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
        type='mmdrloc.DenseT2TViT',
        img_size=224,
        embed_dims=256,
        num_layers=7,
        out_indices=(1, 3, 4, 6),
        window_size=14,
        drop_path_rate=0.1,
        layer_cfgs=dict(num_heads=4, feedforward_channels=2 * 256),
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    neck=[
        dict(type='mmseg.Feature2Pyramid', embed_dim=256),
        dict(
            type='FPN',
            in_channels=[256, 256, 256, 256],
            out_channels=256,
            num_outs=5,
        ),
    ],
)
