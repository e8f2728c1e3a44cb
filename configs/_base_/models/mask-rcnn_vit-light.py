# mmdet's Mask R-CNN for the strides of vit-light_dense.py: anchors, and the
# sizes that part the pyramid's levels, shrink with the images.
_base_ = ['mmdet::_base_/models/mask-rcnn_r50_fpn.py', './vit-light_dense.py']

levels = dict(featmap_strides=[1.5, 3, 6, 12], finest_scale=21)
model = dict(
    rpn_head=dict(anchor_generator=dict(strides=[1.5, 3, 6, 12, 24])),
    roi_head=dict(bbox_roi_extractor=levels, mask_roi_extractor=levels),
)
