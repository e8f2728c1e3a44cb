# How IDMM fine-tunes at 224 pixels, and tests. Two of timm's 15 operations
# stand for the official code's own list of 15, which has Cutout among them.
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='mmpretrain.RandomResizedCrop',
        scale=224,
        backend='pillow',
        interpolation='bicubic',
    ),
    dict(
        type='RandomApply',
        transforms=[
            dict(
                type='mmpretrain.ColorJitter',
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
    dict(
        type='mmpretrain.RandAugment',
        policies='timm_increasing',
        num_policies=2,
        total_level=10,
        magnitude_level=9,
        magnitude_std='inf',
    ),
    dict(type='mmpretrain.RandomFlip', prob=0.5),
    dict(type='mmpretrain.PackInputs'),
]
test_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='mmpretrain.ResizeEdge',
        scale=256,
        edge='short',
        backend='pillow',
        interpolation='bicubic',
    ),
    dict(type='mmpretrain.CenterCrop', crop_size=224),
    dict(type='mmpretrain.PackInputs'),
]
