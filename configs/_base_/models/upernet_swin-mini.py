# UperNet with swin-mini.py.
_base_ = ['./upernet_swin.py', './swin-mini.py']

norm_cfg = dict(type='BN', requires_grad=True)
model = dict(
    backbone=dict(_delete_=True, **_base_.swin_mini, out_indices=(0, 1, 2, 3)),
    decode_head=dict(
        in_channels=[32, 64, 128, 256], channels=64, norm_cfg=norm_cfg
    ),
    auxiliary_head=dict(in_channels=128, channels=64, norm_cfg=norm_cfg),
)
