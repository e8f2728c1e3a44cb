# IDMM: each training image a class of its own, seen in 2 large and 4 small
# crops of 112 pixels. A recipe adds the network to `method`.
_base_ = ['../views/idmm.py', '../cls_runtime.py']

method = dict(
    type='mmdrloc.IDMM',
    num_views=(2, 4),
    data_preprocessor=dict(
        type='mmpretrain.SelfSupDataPreprocessor',
        mean=[123.675, 116.28, 103.53],
        std=[58.395, 57.12, 57.375],
        to_rgb=True,
    ),
)

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

train_dataloader = dict(dataset=dict(pipeline=pretraining))
val_dataloader = val_evaluator = val_cfg = None
test_dataloader = test_evaluator = test_cfg = None

default_hooks = dict(checkpoint=dict(interval=10))
