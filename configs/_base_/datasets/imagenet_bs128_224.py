# ImageNet-1K at 224 pixels as mmpretrain has it for Swin: 8 GPUs with 128
# images each. Any classification data by --dataset.
_base_ = 'mmpretrain::_base_/datasets/imagenet_bs64_swin_224.py'
dataset_name = 'imagenet-1k'

train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='RandomResizedCrop',
        scale=224,
        backend='pillow',
        interpolation='bicubic',
    ),
    dict(type='RandomFlip', prob=0.5, direction='horizontal'),
    dict(
        type='RandAugment',
        policies='timm_increasing',
        num_policies=2,
        total_level=10,
        magnitude_level=9,
        magnitude_std=0.5,
        hparams=dict(pad_val=[104, 116, 124], interpolation='bicubic'),
    ),
    dict(
        type='RandomErasing',
        erase_prob=0.25,
        mode='rand',
        min_area_ratio=0.02,
        max_area_ratio=1 / 3,
        fill_color=[103.53, 116.28, 123.675],
        fill_std=[57.375, 57.12, 58.395],
    ),
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
    batch_size=128,
    num_workers=8,
    persistent_workers=True,
    drop_last=True,
    dataset=dict(pipeline=train_pipeline),
)
val_dataloader = dict(
    batch_size=128,
    num_workers=8,
    persistent_workers=True,
    dataset=dict(pipeline=test_pipeline),
)
test_dataloader = val_dataloader
