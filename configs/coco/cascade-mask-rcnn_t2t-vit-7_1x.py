# Cascade Mask R-CNN with T2T-ViT-7, a plain transformer, from the weights
# that --weights names.
#
# Train: python tools/train.py configs/coco/cascade-mask-rcnn_t2t-vit-7_1x.py \
#            --dataset coco --weights work_dirs/idmm_t2t-vit-7_sin-10k
# 8 GPUs: bash tools/dist_train.sh \
#            configs/coco/cascade-mask-rcnn_t2t-vit-7_1x.py 8 \
#            --dataset coco --weights work_dirs/idmm_t2t-vit-7_sin-10k
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/cascade-mask-rcnn.py',
    '../_base_/models/t2t-vit-7_dense.py',
    '../_base_/protocols/coco_1x-plain.py',
]

boxes = [dict(stage, **_base_.head) for stage in _base_.stages]
model = dict(
    backbone=dict(_delete_=True, **_base_.network),
    neck=[_base_.pyramid, dict(_base_.model.neck, in_channels=_base_.maps)],
    roi_head=dict(bbox_head=boxes, mask_head=_base_.mask_head),
)
