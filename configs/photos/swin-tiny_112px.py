# Swin-T from ImageNet weights, on a few hundred photos of your own.
# Train: mmdrloc train photos/swin-tiny_112px --dataset FOLDER \
#      --weights swin-tiny_16xb64_in1k
_base_ = [
    'mmpretrain::_base_/models/swin_transformer/tiny_224.py',
    '../_base_/datasets/photos_bs16_64.py',
    '../_base_/schedules/photos_bs16_adamw_30e.py',
    '../_base_/default_runtime.py',
]

# Half of the usual 224 pixels: a quarter of the time. The last grid, 4x4, is
# smaller than a window.
model = dict(
    backbone=dict(
        img_size=112,
        pad_small_map=True,
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    head=dict(num_classes=2),
    # No Mixup and CutMix in so few epochs.
    train_cfg=dict(augments=None),
)

train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='RandomResizedCrop',
        scale=112,
        crop_ratio_range=(0.4, 1.0),
        interpolation='bicubic',
    ),
    dict(type='RandomFlip', prob=0.5, direction='horizontal'),
    dict(type='PackInputs'),
]
test_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='ResizeEdge', scale=128, edge='short', interpolation='bicubic'),
    dict(type='CenterCrop', crop_size=112),
    dict(type='PackInputs'),
]
small_test_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='Resize', scale=112, interpolation='bicubic'),
    dict(type='PackInputs'),
]
train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
val_dataloader = dict(batch_size=50, dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader

optim_wrapper = dict(optimizer=dict(lr=1e-4))
param_scheduler = [
    dict(
        type='LinearLR',
        by_epoch=True,
        start_factor=0.01,
        end=1,
        convert_to_iter_based=True,
    ),
    dict(
        type='CosineAnnealingLR',
        by_epoch=True,
        begin=1,
        convert_to_iter_based=True,
    ),
]
train_cfg = dict(max_epochs=10)
