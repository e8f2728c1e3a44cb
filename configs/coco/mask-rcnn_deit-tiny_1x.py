# Mask R-CNN with DeiT-Tiny, a plain transformer, from --weights.
# Weights of 112 px, as IDMM's, want model.backbone.img_size=112.
# Train: mmdrloc train coco/mask-rcnn_deit-tiny_1x \
#      --weights work_dirs/idmm_deit-tiny_sin-10k
_base_ = [
    'mmdet::_base_/models/mask-rcnn_r50_fpn.py',
    'mmdet::_base_/datasets/coco_instance.py',
    '../_base_/schedules/coco_adamw_1x.py',
    'mmdet::_base_/default_runtime.py',
]
dataset_name = 'coco'

# As in ViTDet: layers of the four maps see the whole image, others windows.
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmdrloc.DenseViT',
        arch='deit-tiny',
        img_size=224,
        patch_size=16,
        out_indices=(2, 5, 8, 11),
        window_size=14,
        drop_path_rate=0.1,
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    neck=[
        dict(type='mmseg.Feature2Pyramid', embed_dim=192),
        dict(
            type='FPN',
            in_channels=[192, 192, 192, 192],
            out_channels=256,
            num_outs=5,
        ),
    ],
)

# The weight decay of ViTDet-B, and learning rates that fall by 0.7 from layer
# to layer towards the image.
optim_wrapper = dict(
    constructor='mmdrloc.LayerDecayConstructor',
    paramwise_cfg=dict(
        _delete_=True,
        layer_decay_rate=0.7,
        norm_decay_mult=0.0,
        custom_keys=dict(
            cls_token=dict(decay_mult=0.0), pos_embed=dict(decay_mult=0.0)
        ),
    ),
    optimizer=dict(weight_decay=0.1),
)

# As mmdet trains with Swin: 1,000 iterations of warm-up.
param_scheduler = [
    dict(type='LinearLR', start_factor=0.001, by_epoch=False, end=1000),
    dict(type='MultiStepLR', end=12, milestones=[8, 11]),
]
