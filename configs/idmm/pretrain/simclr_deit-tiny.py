# SimCLR of DeiT-Tiny in 800 epochs.
# Train: mmdrloc train idmm/pretrain/simclr_deit-tiny
_base_ = [
    '../../_base_/models/deit-tiny.py',
    '../../_base_/schedules/idmm_deit_800e.py',
    '../../_base_/datasets/flowers102_bs64_idmm_112.py',
    '../../_base_/default_runtime.py',
]
model = dict(
    type='SimCLR',
    backbone=dict(img_size=112, drop_path_rate=0.1),
    # mmpretrain's projection, as wide as features.
    neck=dict(
        type='NonLinearNeck',
        in_channels=192,
        hid_channels=192,
        out_channels=128,
        num_layers=2,
        with_avg_pool=False,
    ),
    head=dict(
        _delete_=True,
        type='ContrastiveHead',
        loss=dict(type='CrossEntropyLoss'),
        temperature=0.1,
    ),
)

# Two crops of 112 pixels; the rest as IDMM (flowers102_bs64_idmm_112.py).
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(
        type='MultiView',
        num_views=2,
        transforms=[
            [
                dict(type='RandomResizedCrop', scale=112, backend='pillow'),
                _base_.flip,
                _base_.jitter,
                _base_.gray,
                _base_.blur,
            ]
        ],
    ),
    dict(type='PackInputs'),
]
train_dataloader = dict(drop_last=True, dataset=dict(pipeline=train_pipeline))
default_hooks = dict(checkpoint=dict(interval=10))
