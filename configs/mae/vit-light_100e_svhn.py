# Lightweight ViT on SVHN from random weights, 100 epochs: baseline.
#
# Data:  python tools/dataset_converters/prepare.py svhn
# Train: python tools/train.py \
#     configs/mae/vit-light_100e_svhn.py
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/vit-light.py',
    '../_base_/former_datasets/svhn_36px.py',
    '../_base_/schedules/mae_finetune_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(head=dict(num_classes=10))
