# IDMM of T2T-ViT-7 in 800 epochs.
# Train: mmdrloc train idmm/pretrain/idmm_t2t-vit-7
_base_ = [
    '../../_base_/models/t2t-vit-7.py',
    '../../_base_/datasets/flowers102_bs64_idmm_112.py',
    '../../_base_/schedules/idmm_800e.py',
    '../../_base_/default_runtime.py',
]
model = dict(
    type='mmdrloc.IDMM',
    num_views=(2, 4),
    backbone=dict(img_size=112),
    head=dict(num_classes=2040),
)
default_hooks = dict(checkpoint=dict(interval=10))
