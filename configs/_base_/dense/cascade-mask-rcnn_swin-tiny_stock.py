# What mmdet's recipe for Mask R-CNN with Swin-T makes of Cascade Mask R-CNN:
# drop path 0.2, one scale of 1333x800, 1,000 iterations of warm-up.
_base_ = './cascade-mask-rcnn_swin-tiny_paper.py'

model = dict(backbone=dict(drop_path_rate=0.2))

train_pipeline = [
    dict(type='LoadImageFromFile', backend_args=_base_.backend_args),
    dict(type='LoadAnnotations', with_bbox=True, with_mask=True),
    dict(type='Resize', scale=(1333, 800), keep_ratio=True),
    dict(type='RandomFlip', prob=0.5),
    dict(type='PackDetInputs'),
]
train_dataloader = dict(dataset=dict(pipeline=train_pipeline))

param_scheduler = [
    dict(
        type='LinearLR', start_factor=0.001, by_epoch=False, begin=0, end=1000
    ),
    dict(
        type='MultiStepLR',
        begin=0,
        end=12,
        by_epoch=True,
        milestones=[8, 11],
        gamma=0.1,
    ),
]
