# The lightweight ViT as a masked auto-encoder at 36 pixels: 2000 epochs.
# Train: mmdrloc train mae/mae_vit-light
_base_ = [
    '../_base_/models/mae_vit-light.py',
    '../_base_/datasets/cifar10_bs128_36.py',
    '../_base_/default_runtime.py',
]

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
