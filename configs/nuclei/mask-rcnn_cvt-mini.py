# Mask R-CNN on nuclei of cells at a size that two processor cores manage.
# Train: python tools/train.py configs/nuclei/mask-rcnn_cvt-mini.py
# Measured: 25.13 ± 1.68 box AP and 22.50 ± 0.56 mask AP from random weights,
#     33.77 ± 0.67 and 30.90 ± 0.70 from photos/cvt-mini_32px.py, 31.27 ± 1.70
#     and 27.37 ± 0.87 with unsigned DRLoc (seeds 0-2).
_base_ = '../coco_mini/mask-rcnn_swin-mini.py'

# The network of photos/cvt-mini_32px.py: maps of strides 4 and 8; the pyramid
# makes the coarser ones.
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmdrloc.CvT',
        arch=dict(embed_dims=[64, 128], depths=[1, 3], num_heads=[1, 2]),
        variant='drloc',
        out_indices=(0, 1),
    ),
    neck=dict(in_channels=[64, 128]),
)

# 300 images to train on, 100 to validate, a part of BBBC038v1; crops of 192
# px. Most are enlarged: half of the nuclei have less than 14 px a side.
dataset_name = 'nuclei'
metainfo = dict(classes=('nucleus',), palette=[(220, 20, 60)])
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='LoadAnnotations', with_bbox=True, with_mask=True),
    dict(type='Resize', scale=(360, 360), keep_ratio=True),
    dict(type='RandomCrop', crop_size=(192, 192)),
    # No direction of a microscopy image is up.
    dict(type='RandomFlip', prob=0.5, direction=['horizontal', 'vertical']),
    dict(type='PackDetInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='Resize', scale=(360, 360), keep_ratio=True),
    dict(type='LoadAnnotations', with_bbox=True, with_mask=True),
    dict(
        type='PackDetInputs',
        meta_keys=(
            'img_id',
            'img_path',
            'ori_shape',
            'img_shape',
            'scale_factor',
        ),
    ),
]
train_dataloader = dict(
    dataset=dict(
        _delete_=True,
        type='CocoDataset',
        data_root='data/nuclei/',
        ann_file='annotations/instances_train.json',
        data_prefix=dict(img='train/'),
        metainfo=metainfo,
        pipeline=train_pipeline,
    )
)
val_dataloader = dict(
    dataset=dict(
        data_root='data/nuclei/', metainfo=metainfo, pipeline=test_pipeline
    )
)
val_evaluator = dict(
    _delete_=True,
    type='CocoMetric',
    ann_file='data/nuclei/annotations/instances_val.json',
    metric=['bbox', 'segm'],
)
test_dataloader = val_dataloader
test_evaluator = val_evaluator

optim_wrapper = dict(optimizer=dict(lr=1e-3))
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=30),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        T_max=4,
        convert_to_iter_based=True,
    ),
]
train_cfg = dict(max_epochs=4, val_interval=4)
