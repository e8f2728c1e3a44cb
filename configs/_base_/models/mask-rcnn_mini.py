# Mask R-CNN of 64 channels for one class, without a backbone. Neck and heads
# start from random weights: normalised as in mmdet's own configs of training
# from scratch.
_base_ = 'mmdet::_base_/models/mask-rcnn_r50_fpn.py'
norm_cfg = dict(type='GN', num_groups=16, requires_grad=True)
model = dict(
    neck=dict(out_channels=64, norm_cfg=norm_cfg),
    # Photos enter at a quarter of their side in configs/coco/: anchors, and
    # the sizes that part the pyramid's levels, are half as large.
    rpn_head=dict(
        in_channels=64, feat_channels=64, anchor_generator=dict(scales=[4])
    ),
    roi_head=dict(
        bbox_roi_extractor=dict(out_channels=64, finest_scale=28),
        bbox_head=dict(
            type='Shared4Conv1FCBBoxHead',
            num_classes=1,
            in_channels=64,
            conv_out_channels=64,
            fc_out_channels=256,
            norm_cfg=norm_cfg,
        ),
        mask_roi_extractor=dict(out_channels=64, finest_scale=28),
        mask_head=dict(
            num_classes=1,
            num_convs=2,
            in_channels=64,
            conv_out_channels=64,
            norm_cfg=norm_cfg,
        ),
    ),
    train_cfg=dict(
        rpn_proposal=dict(nms_pre=500, max_per_img=200),
        rcnn=dict(sampler=dict(num=64)),
    ),
    test_cfg=dict(rpn=dict(nms_pre=500, max_per_img=200)),
)
