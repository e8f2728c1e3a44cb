# Fine-tuning of the ViT of vit-4layers.py on photos of 64 px: 16x16 tokens.
# Train: mmdrloc train evidence/finetune_vit_64px --dataset FOLDER \
#      --weights work_dirs/vit-4layers_augmented_cifar10_photos
# Measured: on flowers and clothes (docs/earlier_results.md).
_base_ = [
    '../_base_/models/vit-4layers.py',
    '../_base_/datasets/photos_bs16_64.py',
    '../_base_/schedules/photos_bs16_adamw_30e.py',
    '../_base_/default_runtime.py',
]
model = dict(backbone=dict(img_size=64), head=dict(num_classes=2))
