# Swin-mini in one epoch, for the dense models of this folder to start from.
# Train: mmdrloc train coco_mini/swin-mini_1e --dataset cifar10_photos
_base_ = [
    '../_base_/models/swin-mini.py',
    '../_base_/datasets/photos_bs16_64.py',
    '../_base_/default_runtime.py',
]

train_dataloader = dict(batch_size=64)
optim_wrapper = dict(optimizer=dict(type='AdamW', lr=1e-3, weight_decay=0.05))
param_scheduler = [
    dict(type='LinearLR', start_factor=0.01, by_epoch=False, end=100),
    dict(type='CosineAnnealingLR', T_max=1, convert_to_iter_based=True),
]
train_cfg = dict(by_epoch=True, max_epochs=1, val_interval=1)
val_cfg = dict()
test_cfg = dict()
auto_scale_lr = dict(base_batch_size=64)
