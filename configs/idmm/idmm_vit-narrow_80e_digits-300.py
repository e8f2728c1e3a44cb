# IDMM of a narrow ViT on 300 handwritten digits, crops of 28 pixels.
#
# Data:  python tools/dataset_converters/digits.py
# Train: python tools/train.py \
#     configs/idmm/idmm_vit-narrow_80e_digits-300.py
# Published: none, our own demo data.
# Measured: not measured.
_base_ = [
    '../_base_/models/vit-narrow.py',
    '../_base_/former_datasets/digits_300.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/idmm_pretrain.py',
]

model = dict(
    _delete_=True,
    type='mmdrloc.IDMM',
    num_views=(2, 4),
    backbone=dict(_base_.model.backbone, img_size=28),
    head=dict(_base_.model.head, num_classes=300),
    init_cfg=_base_.model.init_cfg,
    data_preprocessor=dict(
        type='mmpretrain.SelfSupDataPreprocessor',
        mean=[123.675, 116.28, 103.53],
        std=[58.395, 57.12, 57.375],
        to_rgb=True,
    ),
)

# A mirrored digit is none; a crop of a twentieth would show no stroke.
color = dict(
    type='RandomApply',
    transforms=[
        dict(
            type='mmpretrain.ColorJitter',
            brightness=0.4,
            contrast=0.4,
            saturation=0.4,
            hue=0.1,
        )
    ],
    prob=0.8,
)
large = dict(
    type='mmpretrain.RandomResizedCrop', scale=28, crop_ratio_range=(0.4, 1.0)
)
small = dict(large, crop_ratio_range=(0.15, 0.5))
pipeline = [
    dict(type='LoadImageFromFile'),
    dict(
        type='mmpretrain.MultiView',
        num_views=[2, 4],
        transforms=[[large, color], [small, color]],
    ),
    dict(type='mmpretrain.PackInputs'),
]
train_dataloader = dict(
    batch_size=25, drop_last=True, dataset=dict(pipeline=pipeline)
)
val_dataloader = val_evaluator = val_cfg = None
test_dataloader = test_evaluator = test_cfg = None

train_cfg = dict(max_epochs=80)
auto_scale_lr = dict(base_batch_size=25)
default_hooks = dict(checkpoint=dict(interval=20), logger=dict(interval=12))
