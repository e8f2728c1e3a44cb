# Flowers102 at 224 pixels, augmented as IDMM's official scripts do: 4 GPUs
# with 64 images each.
dataset_name = 'flowers102'

data_preprocessor = dict(
    num_classes=102,
    mean=[123.675, 116.28, 103.53],
    std=[58.395, 57.12, 57.375],
    to_rgb=True,
)

# Their 15 operations, each with what it does at levels 0 and 9.
policies = [
    dict(type='mmpretrain.Invert'),
    # One side of a square in the mean colour (here BGR), rounded.
    dict(
        type='mmpretrain.Cutout',
        magnitude_range=(0.5, 20.5),
        pad_val=[113, 122, 125],
    ),
    dict(type='mmpretrain.Sharpness', magnitude_range=(0, 0.9)),
    dict(type='mmpretrain.AutoContrast'),
    # 8 to 4 bits, rounded: mmpretrain's rounds up.
    dict(type='mmpretrain.Posterize', magnitude_range=(7.5, 3.5)),
    dict(
        type='mmpretrain.Shear',
        magnitude_range=(0, 0.3),
        direction='horizontal',
    ),
    dict(
        type='mmpretrain.Translate',
        magnitude_range=(0, 150 / 331),
        direction='horizontal',
    ),
    dict(
        type='mmpretrain.Translate',
        magnitude_range=(0, 150 / 331),
        direction='vertical',
    ),
    dict(
        type='mmpretrain.Shear', magnitude_range=(0, 0.3), direction='vertical'
    ),
    # Always anticlockwise, as there. A single number fills one channel.
    dict(
        type='mmpretrain.Rotate',
        magnitude_range=(0, 30),
        random_negative_prob=1.0,
        pad_val=[128, 128, 128],
    ),
    dict(type='mmpretrain.Equalize'),
    dict(type='mmpretrain.Contrast', magnitude_range=(0, 0.9)),
    dict(type='mmpretrain.ColorTransform', magnitude_range=(0, 0.9)),
    dict(type='mmpretrain.Solarize', magnitude_range=(256, 0)),
    dict(type='mmpretrain.Brightness', magnitude_range=(0, 0.9)),
]
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='RandomResizedCrop',
        scale=224,
        backend='pillow',
        interpolation='bicubic',
    ),
    dict(
        type='RandomApply',
        transforms=[
            dict(
                type='ColorJitter',
                brightness=0.4,
                contrast=0.4,
                saturation=0.4,
                hue=0.1,
            )
        ],
        prob=0.4,
    ),
    dict(
        type='RandomGrayscale',
        prob=0.2,
        keep_channels=True,
        channel_weights=(0.114, 0.587, 0.2989),
    ),
    dict(type='mmdrloc.LevelRandAugment', policies=policies),
    dict(type='RandomFlip', prob=0.5),
    dict(type='PackInputs'),
]
test_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='ResizeEdge', scale=256, backend='pillow', interpolation='bicubic'
    ),
    dict(type='CenterCrop', crop_size=224),
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
val_dataloader = dict(
    batch_size=64,
    num_workers=8,
    persistent_workers=True,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(
        type='Flowers102',
        data_root='data/flowers102',
        split='test',
        pipeline=test_pipeline,
    ),
)
val_evaluator = dict(type='Accuracy', topk=(1, 5))
test_dataloader = val_dataloader
test_evaluator = val_evaluator
val_cfg = dict()
test_cfg = dict()

# Mixup in even epochs, CutMix in odd ones. (Folding mu as the official code
# does gives Mixup the same images in another order: mmpretrain's own serves.)
custom_hooks = [
    dict(
        type='mmdrloc.AlternatingAugmentsHook',
        augments=[
            dict(type='mmpretrain.Mixup', alpha=0.5),
            dict(type='mmdrloc.FoldedCutMix', alpha=0.5),
        ],
    )
]
