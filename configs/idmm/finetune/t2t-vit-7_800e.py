# T2T-ViT-7 at 224 pixels in 800 epochs, as IDMM fine-tunes.
# Train: mmdrloc train idmm/finetune/t2t-vit-7_800e \
#      --weights work_dirs/idmm_t2t-vit-7_flowers102
_base_ = [
    '../../_base_/models/t2t-vit-7.py',
    '../../_base_/datasets/flowers102_bs64_224.py',
    '../../_base_/schedules/idmm_800e.py',
    '../../_base_/default_runtime.py',
]
model = dict(head=dict(num_classes=102))
default_hooks = dict(checkpoint=dict(interval=10))
