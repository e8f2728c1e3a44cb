# IDMM of a narrow ViT on photos, crops of 16 pixels: 160 epochs. IDMM's own
# crops of so small images would show next to nothing, and blur leave nothing.
_base_ = [
    '../_base_/models/vit-narrow.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/default_runtime.py',
]

model = dict(
    type='mmdrloc.IDMM',
    num_views=(2, 4),
    backbone=dict(img_size=16),
    # One for each training image.
    head=dict(num_classes=500),
)

dataset_name = 'cifar10-500'
data_preprocessor = dict(
    type='SelfSupDataPreprocessor',
    mean=[123.675, 116.28, 103.53],
    std=[58.395, 57.12, 57.375],
    to_rgb=True,
)
flip = dict(type='RandomFlip', prob=0.5)
jitter = dict(
    type='RandomApply',
    transforms=[
        dict(
            type='ColorJitter',
            brightness=0.8,
            contrast=0.8,
            saturation=0.8,
            hue=0.2,
        )
    ],
    prob=0.8,
)
gray = dict(
    type='RandomGrayscale',
    prob=0.2,
    keep_channels=True,
    channel_weights=(0.114, 0.587, 0.2989),
)
large_crop = dict(
    type='RandomResizedCrop',
    scale=16,
    crop_ratio_range=(0.3, 1.0),
    backend='pillow',
)
small_crop = dict(
    type='RandomResizedCrop',
    scale=16,
    crop_ratio_range=(0.1, 0.4),
    backend='pillow',
)
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='MultiView',
        num_views=[2, 4],
        transforms=[
            [large_crop, flip, jitter, gray],
            [small_crop, flip, jitter, gray],
        ],
    ),
    dict(type='PackInputs'),
]
train_dataloader = dict(
    batch_size=25,
    num_workers=0,
    drop_last=True,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(
        type='CustomDataset',
        data_root='data/cifar10_photos',
        data_prefix='train',
        # Sorted by class: every hundredth.
        indices=list(range(0, 50000, 100)),
        pipeline=train_pipeline,
    ),
)

train_cfg = dict(max_epochs=160)
auto_scale_lr = dict(base_batch_size=25)
default_hooks = dict(checkpoint=dict(interval=20), logger=dict(interval=20))
