# A narrow ViT on handwritten digits from random weights, 5 epochs.
#
# Data:  python tools/dataset_converters/digits.py
# Train: python tools/train.py \
#     configs/mae/vit-light-narrow_5e_digits.py
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/vit-light-narrow.py',
    '../_base_/former_datasets/digits_cls.py',
    '../_base_/schedules/mae_finetune_two-cores.py',
    '../_base_/cls_runtime.py',
]

model = dict(backbone=dict(img_size=56, patch_size=7))

train_cfg = dict(max_epochs=5, val_interval=1)
auto_scale_lr = dict(base_batch_size=32)
