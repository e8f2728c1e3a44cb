# The lightweight ViT as a masked auto-encoder at 36 pixels: 2000 epochs.
_base_ = [
    '../_base_/datasets/cifar10_bs128_36.py',
    '../_base_/default_runtime.py',
]

# At second hand are the image size, the mask ratio, learnt positions and that
# visible patches count; layers and FFN ratio are from a later paper of the
# author; the rest is ours (docs/mae.md).
model = dict(
    type='mmdrloc.LightMAE',
    backbone=dict(
        type='mmdrloc.LightMAEViT',
        arch=dict(
            embed_dims=192,
            num_layers=12,
            num_heads=3,
            feedforward_channels=384,
        ),
        img_size=36,
        patch_size=3,
        mask_ratio=0.75,
    ),
    neck=dict(
        type='mmdrloc.LightMAEDecoder',
        num_patches=(36 // 3) ** 2,
        patch_size=3,
        embed_dim=192,
        decoder_embed_dim=192,
        decoder_depth=4,
        decoder_num_heads=3,
        mlp_ratio=4,
    ),
    head=dict(
        type='mmdrloc.LightMAEHead',
        patch_size=3,
        norm_pix=False,
        visible_weight=0.1,
        loss=dict(type='PixelReconstructionLoss', criterion='L2'),
    ),
    init_cfg=[
        dict(type='Xavier', layer='Linear', distribution='uniform'),
        dict(type='Constant', layer='LayerNorm', val=1.0, bias=0.0),
    ],
)

# Images are cropped and flipped alone.
data_preprocessor = dict(type='ClsDataPreprocessor')
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='RandomResizedCrop',
        scale=36,
        crop_ratio_range=(0.2, 1.0),
        backend='pillow',
        interpolation='bicubic',
    ),
    dict(type='RandomFlip', prob=0.5, direction='horizontal'),
    dict(type='PackInputs'),
]
train_dataloader = dict(batch_size=512, dataset=dict(pipeline=train_pipeline))
val_evaluator = dict(_delete_=True, type='mmdrloc.ReconstructionLoss')
test_evaluator = val_evaluator

# All of it ours: 1.5e-4 for 256 images an iteration, times 16 for 4,096 (8
# GPUs with 512 each).
optim_wrapper = dict(
    optimizer=dict(
        type='AdamW', lr=2.4e-3, betas=(0.9, 0.95), weight_decay=0.05
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
        type='LinearLR', start_factor=1e-3, end=200, convert_to_iter_based=True
    ),
    dict(type='CosineAnnealingLR', begin=200, convert_to_iter_based=True),
]
train_cfg = dict(by_epoch=True, max_epochs=2000, val_interval=50)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=4096)
default_hooks = dict(checkpoint=dict(interval=50))
