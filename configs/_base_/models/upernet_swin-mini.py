# UperNet with the network of swin-mini.py.
_base_ = './upernet_swin.py'

norm_cfg = dict(type='BN', requires_grad=True)
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmpretrain.SwinTransformer',
        arch=dict(embed_dims=32, depths=[2, 2, 2, 2], num_heads=[1, 2, 4, 8]),
        img_size=64,
        window_size=4,
        drop_path_rate=0.0,
        out_indices=(0, 1, 2, 3),
        pad_small_map=True,
        init_cfg=dict(type='Xavier', layer='Linear'),
    ),
    decode_head=dict(
        in_channels=[32, 64, 128, 256], channels=64, norm_cfg=norm_cfg
    ),
    auxiliary_head=dict(in_channels=128, channels=64, norm_cfg=norm_cfg),
)
