# A linear classifier on the frozen masked auto-encoder.
# Train: mmdrloc train mae/vit-light_probe \
#      --weights work_dirs/mae_vit-light_cifar10
_base_ = './vit-light.py'
model = dict(
    backbone=dict(
        frozen_stages=12,
        drop_path_rate=0.0,
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    # Normalised without learnt scale, as MAE's linear evaluation.
    neck=dict(type='ClsBatchNormNeck', input_features=192),
    head=dict(loss=dict(_delete_=True, type='CrossEntropyLoss')),
    train_cfg=None,
)
optim_wrapper = dict(optimizer=dict(lr=1e-2, weight_decay=0.0))

# Images are cropped and flipped alone.
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='RandomResizedCrop',
        scale=36,
        crop_ratio_range=(0.2, 1.0),
        backend='pillow',
        interpolation='bicubic',
    ),
    dict(type='RandomFlip', prob=0.5, direction='horizontal'),
    dict(type='PackInputs'),
]
train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
