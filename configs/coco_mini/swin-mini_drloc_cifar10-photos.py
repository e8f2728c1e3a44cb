# Swin-mini with DRLoc on the photos of CIFAR-10, in folders: what the
# detector and the segmentor of this folder start from.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Train: python tools/train.py \
#            configs/coco_mini/swin-mini_drloc_cifar10-photos.py
# Published: none.
# Measured: 47.7 % top-1 after its 782 updates (seed 0).
_base_ = [
    '../_base_/models/swin-mini.py',
    '../_base_/former_datasets/cifar10_photos.py',
    '../_base_/default_runtime.py',
]
default_scope = 'mmpretrain'

model = dict(
    type='mmdrloc.DRLocClassifier',
    backbone=dict(**_base_.swin_mini, out_indices=(3,)),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(
        type='LinearClsHead',
        num_classes=10,
        in_channels=256,
        loss=dict(type='CrossEntropyLoss'),
    ),
    auxiliary_head=dict(
        type='mmdrloc.DRLocHead',
        # 8x8 cells; the last stage has 2x2.
        source='stages.1',
        in_channels=64,
        hidden_channels=128,
        loss=dict(type='mmdrloc.DRLocL1Loss', loss_weight=0.5),
    ),
)

optim_wrapper = dict(optimizer=dict(type='AdamW', lr=1e-3, weight_decay=0.05))
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=100),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        T_max=1,
        convert_to_iter_based=True,
    ),
]
train_cfg = dict(by_epoch=True, max_epochs=1, val_interval=1)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=64)

default_hooks = dict(
    visualization=dict(type='VisualizationHook', enable=False)
)
visualizer = dict(type='UniversalVisualizer')
