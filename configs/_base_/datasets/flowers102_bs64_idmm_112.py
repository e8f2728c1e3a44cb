# Flowers102 for IDMM: 2 large and 4 small crops of 112 pixels, 4 GPUs with 64
# images each. Heads have a class for each training image, 2,040.
dataset_name = 'flowers102'

data_preprocessor = dict(
    type='SelfSupDataPreprocessor',
    mean=[123.675, 116.28, 103.53],
    std=[58.395, 57.12, 57.375],
    to_rgb=True,
)

large_crop = dict(
    type='RandomResizedCrop',
    scale=112,
    crop_ratio_range=(0.14, 1.0),
    backend='pillow',
)
small_crop = dict(large_crop, crop_ratio_range=(0.05, 0.4))
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
blur = dict(
    type='GaussianBlur',
    magnitude_range=(0.1, 2.0),
    magnitude_std='inf',
    prob=0.5,
)
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='MultiView',
        num_views=[2, 4],
        transforms=[
            [large_crop, flip, jitter, gray, blur],
            [small_crop, flip, jitter, gray, blur],
        ],
    ),
    dict(type='PackInputs'),
]

train_dataloader = dict(
    batch_size=64,
    num_workers=8,
    persistent_workers=True,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(
        type='Flowers102',
        data_root='data/flowers102',
        split='trainval',
        pipeline=train_pipeline,
    ),
)
