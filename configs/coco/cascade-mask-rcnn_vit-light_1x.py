# Cascade Mask R-CNN with the lightweight ViT of MAE, a plain transformer,
# from the weights that --weights names. Images enter at 0.3 of the usual
# size: its patches have 3 pixels.
#
# Train: python tools/train.py configs/coco/cascade-mask-rcnn_vit-light_1x.py \
#            --dataset coco --weights work_dirs/mae_vit-light_cifar10
# 8 GPUs: bash tools/dist_train.sh \
#            configs/coco/cascade-mask-rcnn_vit-light_1x.py 8 \
#            --dataset coco --weights work_dirs/mae_vit-light_cifar10
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/cascade-mask-rcnn_vit-light.py',
    '../_base_/protocols/coco_1x-light.py',
]

boxes = [dict(stage, **_base_.head) for stage in _base_.stages]
model = dict(
    backbone=dict(_delete_=True, **_base_.network),
    neck=[_base_.pyramid, dict(_base_.model.neck, in_channels=_base_.maps)],
    roi_head=dict(bbox_head=boxes, mask_head=_base_.mask_head),
)
