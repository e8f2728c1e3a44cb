# UperNet with T2T-ViT-14, a plain transformer, from --weights.
# Train: mmdrloc train ade20k/upernet_t2t-vit-14_160k \
#      --weights work_dirs/t2t-vit-14_drloc_imagenet-100
_base_ = './upernet_deit-tiny_160k.py'
model = dict(
    backbone=dict(
        _delete_=True,
        type='mmdrloc.DenseT2TViT',
        img_size=224,
        embed_dims=384,
        num_layers=14,
        out_indices=(3, 6, 10, 13),
        window_size=14,
        drop_path_rate=0.1,
        layer_cfgs=dict(num_heads=6, feedforward_channels=3 * 384),
        init_cfg=dict(type='Pretrained', prefix='backbone.'),
    ),
    neck=dict(embed_dim=384),
    decode_head=dict(in_channels=[384, 384, 384, 384]),
    auxiliary_head=dict(in_channels=384),
)
