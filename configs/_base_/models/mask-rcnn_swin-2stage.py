# Mask R-CNN with swin-2stage.py.
_base_ = ['mmdet::_base_/models/mask-rcnn_r50_fpn.py', './swin-2stage.py']

model = dict(
    backbone=dict(_delete_=True, **_base_.swin_2stage, out_indices=(0, 1)),
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
        mask_head=dict(num_convs=2, in_channels=64, conv_out_channels=64),
    ),
    train_cfg=dict(
        rpn=dict(sampler=dict(num=64)),
        rpn_proposal=dict(nms_pre=200, max_per_img=40),
        rcnn=dict(sampler=dict(num=32, pos_fraction=0.5), mask_size=14),
    ),
    test_cfg=dict(rpn=dict(nms_pre=200, max_per_img=40)),
)
