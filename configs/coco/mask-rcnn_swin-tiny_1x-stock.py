# Mask R-CNN with Swin-T, by mmdet's recipe.
#
# Needs: a training of configs/scratch_300e/swin-tiny{,_drloc}.py with
#            --dataset imagenet-1k or imagenet-100
# Train: python tools/train.py configs/coco/mask-rcnn_swin-tiny_1x-stock.py \
#            --dataset coco \
#            --weights work_dirs/swin-tiny_drloc_imagenet-1k
# 8 GPUs: bash tools/dist_train.sh \
#            configs/coco/mask-rcnn_swin-tiny_1x-stock.py 8 \
#            --dataset coco \
#            --weights work_dirs/swin-tiny_drloc_imagenet-1k
# Published: none; the published recipe is
#     configs/coco/mask-rcnn_swin-tiny_1x-paper.py.
# Measured: not measured.
_base_ = [
    '../_base_/models/mask-rcnn_swin-tiny.py',
    '../_base_/protocols/coco_1x-stock.py',
]

model = dict(
    backbone=dict(drop_path_rate=0.2),
    roi_head=dict(bbox_head=_base_.head, mask_head=_base_.mask_head),
)
