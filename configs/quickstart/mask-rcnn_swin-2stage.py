# Mask R-CNN on scenes of handwritten digits.
# Train: mmdrloc train quickstart/mask-rcnn_swin-2stage
# Measured: box AP 50.8, AP50 78.7, mask AP 52.5 (seed 0). With --weights
#     work_dirs/swin-2stage_digits: box AP 54.8, AP50 85.3, mask AP 56.2 (seed
#     0). With --weights work_dirs/swin-2stage_drloc_digits (DRLoc without
#     signs): box AP 54.4, AP50 82.2, mask AP 55.6 (seed 0).
_base_ = [
    'mmdet::_base_/models/mask-rcnn_r50_fpn.py',
    '../_base_/mmdet_runtime.py',
]

# The backbone of swin-2stage.py.
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmpretrain.SwinTransformer',
        arch=dict(embed_dims=48, depths=[2, 2], num_heads=[3, 6]),
        img_size=56,
        window_size=4,
        drop_path_rate=0.0,
        out_indices=(0, 1),
        pad_small_map=True,
        patch_cfg=dict(kernel_size=7, stride=4, padding=3),
        init_cfg=dict(type='Xavier', layer='Linear'),
    ),
    neck=dict(in_channels=[48, 96], out_channels=64, num_outs=3),
    rpn_head=dict(
        in_channels=64,
        feat_channels=64,
        anchor_generator=dict(
            scales=[3, 4.5], ratios=[1.0, 1.7], strides=[4, 8, 16]
        ),
    ),
    roi_head=dict(
        # 2x2 cells a box, not 7x7: in those the head would see the strokes
        # themselves and learn to read them, whatever the backbone says.
        bbox_roi_extractor=dict(
            roi_layer=dict(output_size=2),
            out_channels=64,
            featmap_strides=[4, 8],
            finest_scale=24,
        ),
        bbox_head=dict(
            num_classes=10,
            in_channels=64,
            roi_feat_size=2,
            fc_out_channels=256,
            reg_class_agnostic=True,
        ),
        mask_roi_extractor=dict(
            roi_layer=dict(output_size=7),
            out_channels=64,
            featmap_strides=[4, 8],
            finest_scale=24,
        ),
        mask_head=dict(
            num_classes=10, num_convs=2, in_channels=64, conv_out_channels=64
        ),
    ),
    train_cfg=dict(
        rpn=dict(sampler=dict(num=64)),
        rpn_proposal=dict(nms_pre=200, max_per_img=40),
        rcnn=dict(sampler=dict(num=32, pos_fraction=0.5), mask_size=14),
    ),
    test_cfg=dict(rpn=dict(nms_pre=200, max_per_img=40)),
)

# The scenes of digits have this size. Predictions are scaled back to the
# file's by the factor that Resize writes down, even where it is 1.
dataset_name = 'digits_coco'
metainfo = dict(classes=[str(digit) for digit in range(10)])
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='LoadAnnotations', with_bbox=True, with_mask=True),
    dict(type='Resize', scale=(128, 128), keep_ratio=True),
    dict(type='PackDetInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='Resize', scale=(128, 128), keep_ratio=True),
    dict(type='LoadAnnotations', with_bbox=True, with_mask=True),
    dict(type='PackDetInputs'),
]
# Few labels, as where one would carry a backbone: 150 of the 1,000 scenes.
train_dataloader = dict(
    batch_size=4,
    num_workers=0,
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(
        type='CocoDataset',
        data_root='data/digits/detection/',
        ann_file='annotations/instances_train.json',
        data_prefix=dict(img='train/'),
        metainfo=metainfo,
        indices=150,
        pipeline=train_pipeline,
    ),
)
val_dataloader = dict(
    batch_size=10,
    num_workers=0,
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(
        type='CocoDataset',
        data_root='data/digits/detection/',
        ann_file='annotations/instances_val.json',
        data_prefix=dict(img='val/'),
        metainfo=metainfo,
        test_mode=True,
        pipeline=test_pipeline,
    ),
)
val_evaluator = dict(
    type='mmdrloc.CocoMetric',
    ann_file='data/digits/detection/annotations/instances_val.json',
    metric=['bbox', 'segm'],
)
test_dataloader = val_dataloader
test_evaluator = val_evaluator

optim_wrapper = dict(
    type='OptimWrapper',
    optimizer=dict(
        type='AdamW', lr=2e-3, betas=(0.9, 0.98), weight_decay=1e-4
    ),
    paramwise_cfg=dict(custom_keys=dict(backbone=dict(lr_mult=0.5))),
)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=20),
    dict(type='CosineAnnealingLR', convert_to_iter_based=True),
]
train_cfg = dict(by_epoch=True, max_epochs=9, val_interval=3)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=4)
