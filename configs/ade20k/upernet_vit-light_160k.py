# UperNet with the lightweight ViT of MAE, whose patches have 3 px: photos
# enter at 0.3 of the usual size.
# Train: mmdrloc train ade20k/upernet_vit-light_160k \
#      --weights work_dirs/mae_vit-light_cifar10
_base_ = './upernet_deit-tiny_160k.py'

model = dict(
    data_preprocessor=dict(size=(160, 160)),
    backbone=dict(
        _delete_=True,
        type='mmdrloc.DenseViT',
        arch=dict(
            embed_dims=192,
            num_layers=12,
            num_heads=3,
            feedforward_channels=384,
        ),
        img_size=36,
        patch_size=3,
        out_indices=(2, 5, 8, 11),
        window_size=12,
        drop_path_rate=0.1,
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    neck=dict(rescales=[2, 1, 0.5, 0.25]),
)

# 0.3 of ADE20K's usual 2048x512 and crops of 512 px.
train_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='LoadAnnotations', reduce_zero_label=True),
    dict(
        type='RandomResize',
        scale=(640, 160),
        ratio_range=(0.5, 2.0),
        keep_ratio=True,
    ),
    dict(type='RandomCrop', crop_size=(160, 160), cat_max_ratio=0.75),
    dict(type='RandomFlip', prob=0.5),
    dict(type='PhotoMetricDistortion'),
    dict(type='PackSegInputs'),
]
test_pipeline = [
    dict(type='LoadImageFromFile'),
    dict(type='Resize', scale=(640, 160), keep_ratio=True),
    dict(type='LoadAnnotations', reduce_zero_label=True),
    dict(type='PackSegInputs'),
]
train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
val_dataloader = dict(dataset=dict(pipeline=test_pipeline))
test_dataloader = val_dataloader
