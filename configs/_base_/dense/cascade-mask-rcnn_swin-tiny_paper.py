# Swin's own recipe for Cascade Mask R-CNN, which mmdet does not ship: heads
# (4 convolutions, 1 linear layer, GIoU) and scales (short sides of 480 to 800
# px) are those of mmdet's ConvNeXt, optimizer and schedule those of Swin.
_base_ = [
    'mmdet::convnext/'
    'cascade-mask-rcnn_convnext-t-p4-w7_fpn_4conv1fc-giou_'
    'amp-ms-crop-3x_coco.py',
    './swin-tiny_dense.py',
]

model = dict(
    backbone=dict(_delete_=True, **_base_.swin_tiny, drop_path_rate=0.0)
)

optim_wrapper = dict(
    _delete_=True,
    type='OptimWrapper',
    optimizer=dict(
        type='AdamW', lr=1e-4, betas=(0.9, 0.999), weight_decay=0.05
    ),
    paramwise_cfg=dict(
        custom_keys={
            'absolute_pos_embed': dict(decay_mult=0.0),
            'relative_position_bias_table': dict(decay_mult=0.0),
            'norm': dict(decay_mult=0.0),
        }
    ),
)

max_epochs = 12
train_cfg = dict(max_epochs=max_epochs)
param_scheduler = [
    dict(
        type='LinearLR', start_factor=0.001, by_epoch=False, begin=0, end=500
    ),
    dict(
        type='MultiStepLR',
        begin=0,
        end=max_epochs,
        by_epoch=True,
        milestones=[8, 11],
        gamma=0.1,
    ),
]
