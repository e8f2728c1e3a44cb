# UperNet with swin-2stage.py.
_base_ = ['./upernet_swin.py', './swin-2stage.py']

model = dict(
    data_preprocessor=dict(size=(128, 128)),
    backbone=dict(_delete_=True, **_base_.swin_2stage, out_indices=(0, 1)),
    decode_head=dict(
        in_channels=[48, 96],
        in_index=[0, 1],
        channels=64,
        norm_cfg=dict(type='BN'),
    ),
    auxiliary_head=None,
)
