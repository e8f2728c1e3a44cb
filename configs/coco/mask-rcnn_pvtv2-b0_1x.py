# Mask R-CNN with PVTv2-B0, by the optimizer of mmdet's detectors with PVTv2:
# from random weights, or from those that --weights names (of an IDMM training:
# work_dirs/idmm_pvtv2-b0_sin-10k).
#
# Train: python tools/train.py configs/coco/mask-rcnn_pvtv2-b0_1x.py \
#            --dataset coco
# 8 GPUs: bash tools/dist_train.sh configs/coco/mask-rcnn_pvtv2-b0_1x.py 8 \
#            --dataset coco
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/mask-rcnn_pvtv2-b0.py',
    '../_base_/protocols/coco_1x.py',
]

model = dict(
    roi_head=dict(bbox_head=_base_.head, mask_head=_base_.mask_head),
)
optim_wrapper = dict(
    optimizer=dict(_delete_=True, type='AdamW', lr=1e-4, weight_decay=1e-4)
)
