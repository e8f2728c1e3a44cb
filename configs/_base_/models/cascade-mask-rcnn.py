# mmdet's Cascade Mask R-CNN. Its recipes with transformers take the heads of
# mmdet's ConvNeXt, 4 convolutions, 1 linear layer, GIoU: from here, as
# `_base_.stages`, and add the number of classes.
_base_ = 'mmdet::_base_/models/cascade-mask-rcnn_r50_fpn.py'

stages = [
    dict(
        type='ConvFCBBoxHead',
        num_shared_convs=4,
        num_shared_fcs=1,
        in_channels=256,
        conv_out_channels=256,
        fc_out_channels=1024,
        roi_feat_size=7,
        bbox_coder=stage.bbox_coder,
        reg_class_agnostic=False,
        reg_decoded_bbox=True,
        norm_cfg=dict(type='SyncBN', requires_grad=True),
        loss_cls=stage.loss_cls,
        loss_bbox=dict(type='GIoULoss', loss_weight=10.0),
    )
    for stage in _base_.model.roi_head.bbox_head
]
