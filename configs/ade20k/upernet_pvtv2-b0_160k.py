# UperNet with PVTv2-B0, by mmseg's recipe for Swin-T.
_base_ = './upernet_swin-tiny_160k.py'

model = dict(
    backbone=dict(
        _delete_=True,
        type='mmpretrain.TIMMBackbone',
        model_name='pvt_v2_b0',
        features_only=True,
        drop_path_rate=0.1,
    ),
    decode_head=dict(in_channels=[32, 64, 160, 256]),
    auxiliary_head=dict(in_channels=160),
)
