# Swin's own recipe for Mask R-CNN: mmdet's for 36 epochs, whose short sides
# are drawn from 480 to 800 px, with the schedule of 12 epochs.
_base_ = [
    'mmdet::swin/mask-rcnn_swin-t-p4-w7_fpn_ms-crop-3x_coco.py',
    './swin-tiny_dense.py',
]

model = dict(
    backbone=dict(_delete_=True, **_base_.swin_tiny, drop_path_rate=0.1)
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
