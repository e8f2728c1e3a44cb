# IDMM of a narrow ViT on handwritten digits, crops of 28 pixels: 80 epochs on
# two cores.
#
# Data: python tools/dataset_converters/digits.py
# Train: python tools/train.py configs/idmm/idmm_vit-narrow_28px.py
_base_ = [
    '../_base_/models/vit-narrow.py',
    '../_base_/schedules/idmm_800e.py',
    '../_base_/default_runtime.py',
]

model = dict(
    type='mmdrloc.IDMM',
    num_views=(2, 4),
    backbone=dict(img_size=28),
    # One for each training image.
    head=dict(num_classes=300),
)

dataset_name = 'digits-300'
data_preprocessor = dict(
    type='SelfSupDataPreprocessor',
    mean=[123.675, 116.28, 103.53],
    std=[58.395, 57.12, 57.375],
    to_rgb=True,
)
# A mirrored digit is none; a crop of a twentieth would show no stroke.
jitter = dict(
    type='RandomApply',
    transforms=[
        dict(
            type='ColorJitter',
            brightness=0.4,
            contrast=0.4,
            saturation=0.4,
            hue=0.1,
        )
    ],
    prob=0.8,
)
large_crop = dict(
    type='RandomResizedCrop', scale=28, crop_ratio_range=(0.4, 1.0)
)
small_crop = dict(
    type='RandomResizedCrop', scale=28, crop_ratio_range=(0.15, 0.5)
)
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='MultiView',
        num_views=[2, 4],
        transforms=[[large_crop, jitter], [small_crop, jitter]],
    ),
    dict(type='PackInputs'),
]
# Of the 11,176 drawings, sorted by class and digit, about every 37th.
train_dataloader = dict(
    batch_size=25,
    num_workers=0,
    persistent_workers=False,
    drop_last=True,
    collate_fn=dict(type='default_collate'),
    sampler=dict(type='DefaultSampler', shuffle=True),
    dataset=dict(
        type='CustomDataset',
        data_root='data/digits/classification',
        data_prefix='train',
        metainfo=dict(classes=[str(digit) for digit in range(10)]),
        indices=[11176 * number // 300 for number in range(300)],
        pipeline=train_pipeline,
    ),
)

train_cfg = dict(max_epochs=80)
auto_scale_lr = dict(base_batch_size=25)
default_hooks = dict(checkpoint=dict(interval=20), logger=dict(interval=12))
