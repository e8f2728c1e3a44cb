# Mask R-CNN with the lightweight ViT of MAE, whose patches have 3 px: photos
# enter at 0.3 of the usual size.
# Train: mmdrloc train coco/mask-rcnn_vit-light_1x \
#      --weights work_dirs/mae_vit-light_cifar10
_base_ = './mask-rcnn_deit-tiny_1x.py'

model = dict(
    backbone=dict(
        _delete_=True,
        type='mmdrloc.DenseViT',
        arch=dict(
            embed_dims=192,
            num_layers=12,
            num_heads=3,
            feedforward_channels=384,
        ),
        img_size=36,
        patch_size=3,
        out_indices=(2, 5, 8, 11),
        window_size=12,
        drop_path_rate=0.1,
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    neck=[
        dict(
            type='mmseg.Feature2Pyramid',
            embed_dim=192,
            rescales=[2, 1, 0.5, 0.25],
        ),
        dict(
            type='FPN',
            in_channels=[192, 192, 192, 192],
            out_channels=256,
            num_outs=5,
        ),
    ],
    # Anchors, and the sizes that part the pyramid's levels, shrink with the
    # images.
    rpn_head=dict(anchor_generator=dict(strides=[1.5, 3, 6, 12, 24])),
    roi_head=dict(
        bbox_roi_extractor=dict(
            featmap_strides=[1.5, 3, 6, 12], finest_scale=21
        ),
        mask_roi_extractor=dict(
            featmap_strides=[1.5, 3, 6, 12], finest_scale=21
        ),
    ),
)

# 0.3 of COCO's usual 1333x800.
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='LoadAnnotations', with_bbox=True, with_mask=True),
    dict(type='Resize', scale=(400, 240), keep_ratio=True),
    dict(type='RandomFlip', prob=0.5),
    dict(type='PackDetInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='Resize', scale=(400, 240), keep_ratio=True),
    dict(type='LoadAnnotations', with_bbox=True, with_mask=True),
    dict(type='PackDetInputs'),
]
train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
