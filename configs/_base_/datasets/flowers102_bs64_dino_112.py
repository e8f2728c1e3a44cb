# Flowers102 for DINO as IDMM's authors ran it: two global and two local crops,
# all of 112 pixels.
dataset_name = 'flowers102'

data_preprocessor = dict(
    type='SelfSupDataPreprocessor',
    mean=[123.675, 116.28, 103.53],
    std=[58.395, 57.12, 57.375],
    to_rgb=True,
)

global_crop = dict(
    type='RandomResizedCrop',
    scale=112,
    crop_ratio_range=(0.4, 1.0),
    backend='pillow',
    interpolation='bicubic',
)
local_crop = dict(global_crop, crop_ratio_range=(0.05, 0.4))
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
seldom_blur = dict(always_blur, prob=0.1)
solarize = dict(type='Solarize', thr=128, prob=0.2)
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='MultiView',
        num_views=[1, 1, 2],
        transforms=[
            [global_crop, flip, jitter, gray, always_blur],
            [global_crop, flip, jitter, gray, seldom_blur, solarize],
            [local_crop, flip, jitter, gray, dict(always_blur, prob=0.5)],
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
