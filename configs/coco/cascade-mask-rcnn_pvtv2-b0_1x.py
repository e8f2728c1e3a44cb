# Cascade Mask R-CNN with PVTv2-B0, which mmdet does not ship: trained as its
# Mask R-CNN with Swin.
#
# Train: python tools/train.py configs/coco/cascade-mask-rcnn_pvtv2-b0_1x.py \
#            --dataset coco --weights work_dirs/idmm_pvtv2-b0_sin-10k
# 8 GPUs: bash tools/dist_train.sh \
#            configs/coco/cascade-mask-rcnn_pvtv2-b0_1x.py 8 \
#            --dataset coco --weights work_dirs/idmm_pvtv2-b0_sin-10k
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/cascade-mask-rcnn.py',
    '../_base_/models/pvtv2-b0_dense.py',
    '../_base_/protocols/coco_1x-stock.py',
]

boxes = [dict(stage, **_base_.head) for stage in _base_.stages]
model = dict(
    backbone=dict(_delete_=True, **_base_.pvtv2_b0),
    neck=dict(in_channels=[32, 64, 160, 256]),
    roi_head=dict(bbox_head=boxes, mask_head=_base_.mask_head),
)
