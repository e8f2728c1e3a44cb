# Flowers102 for MoCo v3 as IDMM's poster compares it: two crops of 112 pixels,
# one always blurred, the other one seldom, and sometimes solarized.
dataset_name = 'flowers102'

data_preprocessor = dict(
    type='SelfSupDataPreprocessor',
    mean=[123.675, 116.28, 103.53],
    std=[58.395, 57.12, 57.375],
    to_rgb=True,
)

crop = dict(
    type='RandomResizedCrop',
    scale=112,
    crop_ratio_range=(0.08, 1.0),
    backend='pillow',
)
flip = dict(type='RandomFlip', prob=0.5)
jitter = dict(
    type='RandomApply',
    transforms=[
        dict(
            type='ColorJitter',
            brightness=0.4,
            contrast=0.4,
            saturation=0.2,
            hue=0.1,
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
always_blur = dict(
    type='GaussianBlur',
    magnitude_range=(0.1, 2.0),
    magnitude_std='inf',
    prob=1.0,
)
seldom_blur = dict(
    type='GaussianBlur',
    magnitude_range=(0.1, 2.0),
    magnitude_std='inf',
    prob=0.1,
)
solarize = dict(type='Solarize', thr=128, prob=0.2)
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='MultiView',
        num_views=[1, 1],
        transforms=[
            [crop, jitter, gray, always_blur, flip],
            [crop, jitter, gray, seldom_blur, solarize, flip],
        ],
    ),
    dict(type='PackInputs'),
]

train_dataloader = dict(
    batch_size=64,
    num_workers=8,
    persistent_workers=True,
    drop_last=True,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(
        type='Flowers102',
        data_root='data/flowers102',
        split='trainval',
        pipeline=train_pipeline,
    ),
)
