# IDMM's crops of 112 pixels: 2 large ones and 4 small ones. `pretraining`
# stands in a leaf config for the pipeline of its data set.
color = [
    dict(type='mmpretrain.RandomFlip', prob=0.5),
    dict(
        type='RandomApply',
        transforms=[
            dict(
                type='mmpretrain.ColorJitter',
                brightness=0.8,
                contrast=0.8,
                saturation=0.8,
                hue=0.2,
            )
        ],
        prob=0.8,
    ),
    dict(
        type='RandomGrayscale',
        prob=0.2,
        keep_channels=True,
        channel_weights=(0.114, 0.587, 0.2989),
    ),
    dict(
        type='mmpretrain.GaussianBlur',
        magnitude_range=(0.1, 2.0),
        magnitude_std='inf',
        prob=0.5,
    ),
]
large = dict(
    type='mmpretrain.RandomResizedCrop',
    scale=112,
    crop_ratio_range=(0.14, 1.0),
    backend='pillow',
)
small = dict(large, crop_ratio_range=(0.05, 0.4))
pretraining = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='mmpretrain.MultiView',
        num_views=[2, 4],
        transforms=[[large, *color], [small, *color]],
    ),
    dict(type='mmpretrain.PackInputs'),
]
