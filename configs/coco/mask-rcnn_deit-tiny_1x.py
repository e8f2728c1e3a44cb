# Mask R-CNN with DeiT-Tiny, a plain transformer, from the weights that
# --weights names.
#
# Train: python tools/train.py configs/coco/mask-rcnn_deit-tiny_1x.py \
#            --dataset coco --weights work_dirs/idmm_deit-tiny_sin-10k
# 8 GPUs: bash tools/dist_train.sh \
#            configs/coco/mask-rcnn_deit-tiny_1x.py 8 \
#            --dataset coco --weights work_dirs/idmm_deit-tiny_sin-10k
# Published: none.
# Measured: not measured.
_base_ = [
    'mmdet::_base_/models/mask-rcnn_r50_fpn.py',
    '../_base_/models/deit-tiny_dense.py',
    '../_base_/protocols/coco_1x-plain.py',
]

model = dict(
    backbone=dict(_delete_=True, **_base_.network),
    neck=[_base_.pyramid, dict(_base_.model.neck, in_channels=_base_.maps)],
    roi_head=dict(bbox_head=_base_.head, mask_head=_base_.mask_head),
)
