# UperNet with PVTv2-B0, by mmseg's recipe for Swin-T.
_base_ = [
    '../_base_/models/upernet_swin.py',
    '../_base_/datasets/ade20k.py',
    '../_base_/schedules/ade20k_adamw_160k.py',
    '../_base_/default_runtime_mmseg.py',
]

model = dict(
    data_preprocessor=dict(size=(512, 512)),
    backbone=dict(
        _delete_=True,
        type='mmpretrain.TIMMBackbone',
        model_name='pvt_v2_b0',
        features_only=True,
        drop_path_rate=0.1,
    ),
    decode_head=dict(in_channels=[32, 64, 160, 256], num_classes=150),
    auxiliary_head=dict(in_channels=160, num_classes=150),
)
