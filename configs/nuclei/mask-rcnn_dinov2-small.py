# Mask R-CNN with DINOv2 ViT-S/14 on nuclei of cells, from published weights.
# Train: mmdrloc train nuclei/mask-rcnn_dinov2-small \
#      --weights vit_small_patch14_dinov2.lvd142m.safetensors
_base_ = [
    '../_base_/models/mask-rcnn_dinov2-small.py',
    '../_base_/datasets/nuclei_bs2_192.py',
    '../_base_/schedules/nuclei_adamw_4e.py',
    '../_base_/mmdet_runtime.py',
]

# New layers learn ten times as fast as those of the backbone.
optim_wrapper = dict(
    paramwise_cfg=dict(custom_keys=dict(backbone=dict(lr_mult=0.1)))
)
