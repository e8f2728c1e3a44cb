# Mask R-CNN with TinyViT-5M on people on photos, from published weights.
# Train: mmdrloc train coco_mini/mask-rcnn_tinyvit-5m_people \
#      --weights tiny_vit_5m_224.dist_in22k.safetensors
_base_ = [
    '../_base_/models/mask-rcnn_tinyvit-5m.py',
    '../_base_/datasets/coco_mini_bs2_256.py',
    '../_base_/schedules/coco_mini_adamw_16e.py',
    '../_base_/mmdet_runtime.py',
]

# New layers learn ten times as fast as those of the backbone.
optim_wrapper = dict(
    paramwise_cfg=dict(custom_keys=dict(backbone=dict(lr_mult=0.1)))
)
