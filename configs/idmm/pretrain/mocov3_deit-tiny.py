# MoCo v3 of DeiT-Tiny in 800 epochs.
# Train: python tools/train.py configs/idmm/pretrain/mocov3_deit-tiny.py
_base_ = [
    '../../_base_/models/deit-tiny.py',
    '../../_base_/datasets/flowers102_bs64_mocov3_112.py',
    '../../_base_/schedules/idmm_deit_800e.py',
    '../../_base_/default_runtime.py',
]

# mmpretrain's projection and predictor. The patch embedding is trained, too.
model = dict(
    type='MoCoV3',
    base_momentum=0.01,
    backbone=dict(img_size=112, drop_path_rate=0.1),
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
        _delete_=True,
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
)
default_hooks = dict(checkpoint=dict(interval=10))
