# Cascade Mask R-CNN with Swin-T, by Swin's own recipe.
# Train: mmdrloc train coco/cascade-mask-rcnn_swin-tiny_1x-paper \
#      --weights work_dirs/swin-tiny_drloc_imagenet-1k
_base_ = [
    'mmdet::_base_/models/cascade-mask-rcnn_r50_fpn.py',
    '../_base_/datasets/coco_instance_ms-crop.py',
    '../_base_/schedules/coco_adamw_1x.py',
    'mmdet::_base_/default_runtime.py',
]

# The heads of mmdet's ConvNeXt: 4 convolutions, 1 linear layer, GIoU.
bbox_head = dict(
    type='ConvFCBBoxHead',
    num_shared_convs=4,
    num_shared_fcs=1,
    in_channels=256,
    conv_out_channels=256,
    fc_out_channels=1024,
    roi_feat_size=7,
    num_classes=80,
    reg_class_agnostic=False,
    reg_decoded_bbox=True,
    norm_cfg=dict(type='SyncBN', requires_grad=True),
    loss_cls=dict(type='CrossEntropyLoss', use_sigmoid=False, loss_weight=1.0),
    loss_bbox=dict(type='GIoULoss', loss_weight=10.0),
)
bbox_coder = dict(type='DeltaXYWHBBoxCoder', target_means=[0.0, 0.0, 0.0, 0.0])
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmpretrain.SwinTransformer',
        arch='tiny',
        drop_path_rate=0.0,
        out_indices=(0, 1, 2, 3),
        pad_small_map=True,
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    neck=dict(in_channels=[96, 192, 384, 768]),
    roi_head=dict(
        bbox_head=[
            dict(
                bbox_head,
                bbox_coder=dict(bbox_coder, target_stds=[0.1, 0.1, 0.2, 0.2]),
            ),
            dict(
                bbox_head,
                bbox_coder=dict(
                    bbox_coder, target_stds=[0.05, 0.05, 0.1, 0.1]
                ),
            ),
            dict(
                bbox_head,
                bbox_coder=dict(
                    bbox_coder, target_stds=[0.033, 0.033, 0.067, 0.067]
                ),
            ),
        ]
    ),
)
