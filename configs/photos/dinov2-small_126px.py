# DINOv2 ViT-S/14 from published weights, on a few hundred photos of your own.
# Train: mmdrloc train photos/dinov2-small_126px --dataset FOLDER \
#      --weights vit_small_patch14_dinov2.lvd142m.safetensors
# Measured: 94.97 ± 0.76 % top-1 on 300 flowers (100 updates), 90.62 ± 0.51 %
#     on 500 clothes (150), seeds 0-2, --amp, 736 and 341 validation photos.
#     All photos: 96.15 ± 0.64 % of flowers, 94.04 ± 0.61 % of clothes (400).
_base_ = [
    '../_base_/datasets/photos_bs16_64.py',
    '../_base_/schedules/photos_bs16_adamw_400it.py',
    '../_base_/default_runtime.py',
]

# 126 px are 9x9 cells. The first half of the layers is not trained: a third
# of the time less, and what they know is of any photo.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='VisionTransformer',
        arch='dinov2-small',
        img_size=126,
        patch_size=14,
        layer_scale_init_value=1e-5,
        frozen_stages=6,
        init_cfg=dict(type='Pretrained'),
    ),
    head=dict(
        type='LinearClsHead',
        num_classes=2,
        in_channels=384,
        loss=dict(
            type='LabelSmoothLoss', label_smooth_val=0.1, mode='original'
        ),
    ),
)

train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='RandomResizedCrop',
        scale=126,
        crop_ratio_range=(0.4, 1.0),
        interpolation='bicubic',
    ),
    dict(type='RandomFlip', prob=0.5, direction='horizontal'),
    dict(type='PackInputs'),
]
test_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='ResizeEdge', scale=144, edge='short', interpolation='bicubic'),
    dict(type='CenterCrop', crop_size=126),
    dict(type='PackInputs'),
]
small_test_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='Resize', scale=126, interpolation='bicubic'),
    dict(type='PackInputs'),
]
train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
val_dataloader = dict(batch_size=50, dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader

# Learning rates fall by 0.75 from layer to layer towards the image.
optim_wrapper = dict(
    constructor='LearningRateDecayOptimWrapperConstructor',
    paramwise_cfg=dict(
        layer_decay_rate=0.75, norm_decay_mult=0.0, bias_decay_mult=0.0
    ),
)

log_processor = dict(by_epoch=False)
default_hooks = dict(checkpoint=dict(by_epoch=False, interval=400))
