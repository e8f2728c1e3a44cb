# UperNet on scenes of handwritten digits.
# Train: mmdrloc train quickstart/upernet_swin-2stage
# Measured: mIoU 50.6 (seed 0). With --weights work_dirs/swin-2stage_digits:
#     mIoU 61.6 (seed 0). With --weights work_dirs/swin-2stage_drloc_digits
#     (DRLoc without signs): mIoU 61.0 (seed 0).
_base_ = ['mmseg::_base_/models/upernet_swin.py', '../_base_/mmseg_runtime.py']

# The backbone of swin-2stage.py.
model = dict(
    data_preprocessor=dict(size=(128, 128)),
    backbone=dict(
        _delete_=True,
        type='mmpretrain.SwinTransformer',
        arch=dict(embed_dims=48, depths=[2, 2], num_heads=[3, 6]),
        img_size=56,
        window_size=4,
        drop_path_rate=0.0,
        out_indices=(0, 1),
        pad_small_map=True,
        patch_cfg=dict(kernel_size=7, stride=4, padding=3),
        init_cfg=dict(type='Xavier', layer='Linear'),
    ),
    decode_head=dict(
        num_classes=11,
        in_channels=[48, 96],
        in_index=[0, 1],
        channels=64,
        norm_cfg=dict(type='BN'),
        loss_decode=dict(class_weight=[0.4, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]),
    ),
    auxiliary_head=None,
)

# The background is a class. The scenes have this size.
dataset_name = 'digits_seg'
metainfo = dict(
    classes=['background'] + [str(digit) for digit in range(10)],
    palette=[
        [0, 0, 0],
        [230, 25, 75],
        [60, 180, 75],
        [255, 225, 25],
        [0, 130, 200],
        [245, 130, 48],
        [145, 30, 180],
        [70, 240, 240],
        [240, 50, 230],
        [210, 245, 60],
        [250, 190, 212],
    ],
)
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='LoadAnnotations'),
    dict(type='Resize', scale=(128, 128)),
    dict(type='PackSegInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='Resize', scale=(128, 128)),
    dict(type='LoadAnnotations'),
    dict(type='PackSegInputs'),
]
train_dataloader = dict(
    batch_size=4,
    num_workers=0,
    sampler=dict(type='InfiniteSampler', shuffle=True),
    dataset=dict(
        type='BaseSegDataset',
        img_suffix='.png',
        data_root='data/digits/segmentation',
        data_prefix=dict(
            img_path='images/training', seg_map_path='annotations/training'
        ),
        metainfo=metainfo,
        pipeline=train_pipeline,
    ),
)
val_dataloader = dict(
    batch_size=10,
    num_workers=0,
    sampler=dict(type='DefaultSampler', shuffle=False),
    dataset=dict(
        type='BaseSegDataset',
        img_suffix='.png',
        data_root='data/digits/segmentation',
        data_prefix=dict(
            img_path='images/validation', seg_map_path='annotations/validation'
        ),
        metainfo=metainfo,
        pipeline=test_pipeline,
    ),
)
val_evaluator = dict(type='IoUMetric', iou_metrics=['mIoU'])
test_dataloader = val_dataloader
test_evaluator = val_evaluator

optim_wrapper = dict(
    type='OptimWrapper',
    optimizer=dict(
        type='AdamW', lr=1e-2, betas=(0.9, 0.98), weight_decay=1e-4
    ),
    paramwise_cfg=dict(custom_keys=dict(backbone=dict(lr_mult=0.05))),
)
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=50),
    dict(type='CosineAnnealingLR', by_epoch=False),
]
train_cfg = dict(type='IterBasedTrainLoop', max_iters=1000, val_interval=250)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=4)
default_hooks = dict(checkpoint=dict(interval=250))
