# SimCLR beside idmm/idmm_vit-narrow_16px, for as long: two crops of 16 px.
# Train: mmdrloc train evidence/simclr_vit-narrow_16px --dataset cifar10-500
# Measured: docs/claims.md, IDMM.
_base_ = '../idmm/idmm_vit-narrow_16px.py'
model = dict(
    _delete_=True,
    type='SimCLR',
    data_preprocessor=_base_.data_preprocessor,
    backbone=_base_.model.backbone,
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

train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='MultiView',
        num_views=2,
        transforms=[
            [_base_.large_crop, _base_.flip, _base_.jitter, _base_.gray]
        ],
    ),
    dict(type='PackInputs'),
]
train_dataloader = dict(batch_size=125, dataset=dict(pipeline=train_pipeline))
train_cfg = dict(max_epochs=480)
auto_scale_lr = dict(base_batch_size=125)
