# Fine-tuning of the CvT of photos/cvt-mini_32px.py on photos of 64 px.
# Train: mmdrloc train evidence/finetune_cvt_64px --dataset FOLDER \
#      --weights work_dirs/cvt-mini_32px_cifar10_photos
# Measured: on flowers and clothes (docs/earlier_results.md).
_base_ = [
    '../_base_/models/cvt-mini.py',
    '../_base_/datasets/photos_bs16_64.py',
    '../_base_/schedules/photos_bs16_adamw_30e.py',
    '../_base_/default_runtime.py',
]
model = dict(head=dict(num_classes=2))
