# A narrow ViT on handwritten digits as a masked auto-encoder, 20 epochs.
#
# Data:  python tools/dataset_converters/digits.py
# Train: python tools/train.py \
#     configs/mae/mae_vit-light-narrow_20e_digits.py
# Published: none.
# Measured: not measured.
_base_ = [
    '../_base_/models/mae_vit-light.py',
    '../_base_/datasets/digits_cls.py',
    '../_base_/schedules/mae_2000e.py',
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
    ),
    neck=dict(
        num_patches=(56 // 7) ** 2,
        patch_size=7,
        embed_dim=96,
        decoder_embed_dim=96,
        decoder_depth=2,
        decoder_num_heads=3,
        mlp_ratio=2,
    ),
    head=dict(patch_size=7),
)

optim_wrapper = dict(optimizer=dict(lr=1e-3))
param_scheduler = [
    dict(
        type='LinearLR',
        start_factor=1e-3,
        by_epoch=True,
        end=5,
        convert_to_iter_based=True,
    ),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        begin=5,
        convert_to_iter_based=True,
    ),
]
train_cfg = dict(max_epochs=20, val_interval=5)
auto_scale_lr = dict(base_batch_size=32)

data_preprocessor = dict(type='mmpretrain.ClsDataPreprocessor')
val_evaluator = dict(_delete_=True, type='mmdrloc.ReconstructionLoss')
test_evaluator = dict(_delete_=True, type='mmdrloc.ReconstructionLoss')
custom_hooks = [dict(type='mmdrloc.ReconstructionHook')]
default_hooks = dict(checkpoint=dict(interval=5))
