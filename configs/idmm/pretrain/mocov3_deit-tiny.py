# MoCo v3 of DeiT-Tiny in 800 epochs.
# Train: mmdrloc train idmm/pretrain/mocov3_deit-tiny
_base_ = [
    '../../_base_/datasets/flowers102_bs64_dino_112.py',
    '../../_base_/schedules/idmm_deit_800e.py',
    '../../_base_/default_runtime.py',
]

# mmpretrain's projection and predictor; the patch embedding is trained, too.
model = dict(
    type='MoCoV3',
    base_momentum=0.01,
    backbone=dict(
        type='mmdrloc.DeiT',
        arch='deit-tiny',
        img_size=112,
        patch_size=16,
        drop_path_rate=0.1,
    ),
    neck=dict(
        type='NonLinearNeck',
        in_channels=192,
        hid_channels=4096,
        out_channels=256,
        num_layers=3,
        with_bias=False,
        with_last_bn=True,
        with_last_bn_affine=False,
        with_last_bias=False,
        with_avg_pool=False,
    ),
    head=dict(
        type='MoCoV3Head',
        predictor=dict(
            type='NonLinearNeck',
            in_channels=256,
            hid_channels=4096,
            out_channels=256,
            num_layers=2,
            with_bias=False,
            with_last_bn=True,
            with_last_bn_affine=False,
            with_last_bias=False,
            with_avg_pool=False,
        ),
        # Twice the temperature.
        loss=dict(type='CrossEntropyLoss', loss_weight=0.4),
        temperature=0.2,
    ),
    init_cfg=dict(type='TruncNormal', layer='Linear', std=0.02, bias=0.0),
)

# Two crops of 112 pixels, one always blurred, the other one seldom, and
# sometimes solarized, as DINO's.
crop = dict(
    type='RandomResizedCrop',
    scale=112,
    crop_ratio_range=(0.08, 1.0),
    backend='pillow',
)
often = [crop, _base_.jitter, _base_.gray, _base_.always_blur, _base_.flip]
seldom = [
    crop,
    _base_.jitter,
    _base_.gray,
    _base_.seldom_blur,
    _base_.solarize,
    _base_.flip,
]
train_pipeline = [
    dict(type='mmdrloc.LoadImage'),
    dict(type='MultiView', num_views=[1, 1], transforms=[often, seldom]),
    dict(type='PackInputs'),
]

train_dataloader = dict(dataset=dict(pipeline=train_pipeline))
default_hooks = dict(checkpoint=dict(interval=10))
