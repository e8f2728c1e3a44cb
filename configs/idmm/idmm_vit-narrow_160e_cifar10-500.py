# IDMM of a narrow ViT on 500 CIFAR-10 images, crops of 16 pixels.
#
# Data:  data/cifar10_photos/{train,test}/<class>/*
# Train: python tools/train.py \
#     configs/idmm/idmm_vit-narrow_160e_cifar10-500.py
# Published: none, our own demo data.
# Measured: not measured.
_base_ = [
    '../_base_/models/vit-narrow.py',
    '../_base_/former_datasets/cifar10_500.py',
    '../_base_/views/idmm_112px.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/idmm_pretrain.py',
]

model = dict(
    _delete_=True,
    type='mmdrloc.IDMM',
    num_views=(2, 4),
    backbone=dict(_base_.model.backbone, img_size=16, patch_size=4),
    head=dict(_base_.model.head, num_classes=500),
    init_cfg=_base_.model.init_cfg,
    data_preprocessor=dict(
        type='mmpretrain.SelfSupDataPreprocessor',
        mean=[123.675, 116.28, 103.53],
        std=[58.395, 57.12, 57.375],
        to_rgb=True,
    ),
)

# IDMM's own crops of so small images would show next to nothing, and blur
# leave nothing of them.
color = _base_.color[:3]
large = dict(_base_.large, scale=16, crop_ratio_range=(0.3, 1.0))
small = dict(large, crop_ratio_range=(0.1, 0.4))
pipeline = [
    dict(type='LoadImageFromFile'),
    dict(
        type='mmpretrain.MultiView',
        num_views=[2, 4],
        transforms=[[large, *color], [small, *color]],
    ),
    dict(type='mmpretrain.PackInputs'),
]
train_dataloader = dict(
    batch_size=25, drop_last=True, dataset=dict(pipeline=pipeline)
)
val_dataloader = val_evaluator = val_cfg = None
test_dataloader = test_evaluator = test_cfg = None

train_cfg = dict(max_epochs=160)
auto_scale_lr = dict(base_batch_size=25)
default_hooks = dict(checkpoint=dict(interval=20), logger=dict(interval=20))
