# A Swin of 4 layers in place of the ViT of vit-4layers.py: 16x16 tokens in
# windows of 8x8, then 8x8 in one window, 0.3 million parameters.
_base_ = './vit-4layers.py'

model = dict(
    backbone=dict(
        _delete_=True,
        type='mmpretrain.SwinTransformer',
        arch=dict(embed_dims=48, depths=[2, 2], num_heads=[3, 6]),
        img_size=32,
        patch_size=2,
        window_size=8,
        drop_path_rate=0.0,
        out_indices=(1,),
        init_cfg=dict(type='Xavier', layer='Linear'),
    ),
    neck=dict(type='mmpretrain.GlobalAveragePooling'),
)
