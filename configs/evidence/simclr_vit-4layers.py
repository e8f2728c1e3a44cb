# SimCLR before vit-4layers.py, for the time of 750 of its updates: 2 epochs.
# Train: mmdrloc train evidence/simclr_vit-4layers --dataset cifar10-5k
# Two views of 32 px an image, without blur.
# Measured: docs/when_it_helps.md, pre-training on your own images.
_base_ = './idmm_vit-4layers.py'
model = dict(
    _delete_=True,
    type='SimCLR',
    backbone=dict(
        type='VisionTransformer',
        arch=dict(
            embed_dims=96, num_layers=4, num_heads=3, feedforward_channels=384
        ),
        img_size=32,
        patch_size=4,
        with_cls_token=False,
        out_type='avg_featmap',
    ),
    neck=dict(
        type='NonLinearNeck',
        in_channels=96,
        hid_channels=96,
        out_channels=128,
        num_layers=2,
        with_avg_pool=False,
    ),
    head=dict(
        type='ContrastiveHead',
        loss=dict(type='CrossEntropyLoss'),
        temperature=0.2,
    ),
)

crop = dict(
    type='RandomResizedCrop',
    scale=32,
    crop_ratio_range=(0.2, 1.0),
    backend='pillow',
)
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='MultiView',
        num_views=2,
        transforms=[[crop, _base_.flip, _base_.jitter, _base_.gray]],
    ),
    dict(type='PackInputs'),
]
train_dataloader = dict(batch_size=128, dataset=dict(pipeline=train_pipeline))
auto_scale_lr = dict(base_batch_size=128)
train_cfg = dict(max_epochs=2)
