# A narrow ViT as a masked auto-encoder of handwritten digits at 56 pixels: 20
# epochs.
#
# Data: python tools/dataset_converters/digits.py
# Train: python tools/train.py configs/mae/mae_vit-light-narrow_56px.py \
#     --dataset digits
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/mae_vit-light-narrow.py',
    '../_base_/protocols/mae_pretrain_56px.py',
]

model = dict(
    backbone=dict(img_size=56, patch_size=7),
    neck=dict(num_patches=(56 // 7) ** 2, patch_size=7),
    head=dict(patch_size=7),
)
