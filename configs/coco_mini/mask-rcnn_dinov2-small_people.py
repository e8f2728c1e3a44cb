# Mask R-CNN with DINOv2 ViT-S/14 on people on photos, from published weights.
# Train: mmdrloc train coco_mini/mask-rcnn_dinov2-small_people \
#      --weights vit_small_patch14_dinov2.lvd142m.safetensors
_base_ = [
    '../_base_/models/mask-rcnn_dinov2-small.py',
    '../_base_/datasets/coco_mini_bs2_256.py',
    '../_base_/schedules/coco_mini_adamw_16e.py',
    '../_base_/mmdet_runtime.py',
]

# New layers learn ten times as fast as those of the backbone.
optim_wrapper = dict(
    paramwise_cfg=dict(custom_keys=dict(backbone=dict(lr_mult=0.1)))
)
