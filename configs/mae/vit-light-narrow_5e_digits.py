# A narrow ViT on handwritten digits from random weights, 5 epochs.
#
# Data:  python tools/dataset_converters/digits.py
# Train: python tools/train.py \
#     configs/mae/vit-light-narrow_5e_digits.py
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/vit-light.py',
    '../_base_/datasets/digits_cls.py',
    '../_base_/schedules/mae_finetune_100e.py',
    '../_base_/cls_runtime.py',
]

model = dict(
    backbone=dict(
        arch=dict(
            embed_dims=96,
            num_layers=6,
            num_heads=3,
            feedforward_channels=192,
        ),
        img_size=56,
        patch_size=7,
        drop_path_rate=0.0,
    ),
    head=dict(num_classes=10, in_channels=96),
    # A short training has no use for mixed images.
    train_cfg=None,
)

optim_wrapper = dict(optimizer=dict(lr=1e-3))
param_scheduler = [
    dict(
        type='LinearLR',
        start_factor=1e-3,
        by_epoch=True,
        end=2,
        convert_to_iter_based=True,
    ),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        begin=2,
        convert_to_iter_based=True,
    ),
]
train_cfg = dict(max_epochs=5, val_interval=1)
auto_scale_lr = dict(base_batch_size=32)
