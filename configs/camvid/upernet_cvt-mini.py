# UperNet on photos of streets at a size that two processor cores manage.
# Train: python tools/train.py configs/camvid/upernet_cvt-mini.py
# Measured: 22.43 ± 0.82 mIoU from random weights, 38.28 ± 0.76 from
#     photos/cvt-mini_32px.py, 38.54 ± 0.68 with unsigned DRLoc (seeds 0-2).
_base_ = '../coco_mini/upernet_swin-mini.py'

# The network of photos/cvt-mini_32px.py: maps of strides 4 and 8.
model = dict(
    data_preprocessor=dict(size=(176, 176), seg_pad_val=255),
    backbone=dict(
        _delete_=True,
        type='mmdrloc.CvT',
        arch=dict(embed_dims=[64, 128], depths=[1, 3], num_heads=[1, 2]),
        variant='drloc',
        out_indices=(0, 1),
    ),
    decode_head=dict(
        num_classes=11,
        in_channels=[64, 128],
        in_index=[0, 1],
        loss_decode=dict(
            _delete_=True,
            type='CrossEntropyLoss',
            use_sigmoid=False,
            loss_weight=1.0,
        ),
    ),
    auxiliary_head=dict(
        num_classes=11,
        in_channels=128,
        in_index=1,
        loss_decode=dict(
            _delete_=True,
            type='CrossEntropyLoss',
            use_sigmoid=False,
            loss_weight=0.4,
        ),
    ),
)

# SegNet's version of 11 classes, at 240x180: 367 photos to train on, 101 to
# validate. 11 in its label maps is what has no class.
dataset_name = 'camvid'
metainfo = dict(
    classes=[
        'sky',
        'building',
        'pole',
        'road',
        'pavement',
        'tree',
        'sign',
        'fence',
        'car',
        'pedestrian',
        'bicyclist',
    ],
    palette=[
        [128, 128, 128],
        [128, 0, 0],
        [192, 192, 128],
        [128, 64, 128],
        [60, 40, 222],
        [128, 128, 0],
        [192, 128, 128],
        [64, 64, 128],
        [64, 0, 128],
        [64, 64, 0],
        [0, 128, 192],
    ],
)
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='LoadAnnotations'),
    dict(
        type='RandomResize',
        scale=(240, 180),
        ratio_range=(0.75, 1.5),
        keep_ratio=True,
    ),
    dict(type='RandomCrop', crop_size=(176, 176), cat_max_ratio=0.75),
    dict(type='RandomFlip', prob=0.5),
    dict(type='PackSegInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='Resize', scale=(240, 180), keep_ratio=True),
    dict(type='LoadAnnotations'),
    dict(type='PackSegInputs'),
]
train_dataloader = dict(
    dataset=dict(
        type='mmdrloc.RenumberedSegDataset',
        labels=[*range(11), 255],
        data_root='data/camvid240',
        data_prefix=dict(img_path='img/train', seg_map_path='ann/train'),
        metainfo=metainfo,
        pipeline=train_pipeline,
    )
)
val_dataloader = dict(
    dataset=dict(
        type='mmdrloc.RenumberedSegDataset',
        labels=[*range(11), 255],
        data_root='data/camvid240',
        data_prefix=dict(img_path='img/val', seg_map_path='ann/val'),
        metainfo=metainfo,
        pipeline=test_pipeline,
    )
)
test_dataloader = val_dataloader
