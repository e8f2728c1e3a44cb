# A Swin of 4 layers for 32 pixels and one processor core: 16x16 tokens in
# windows of 8x8, then 8x8 in one window, 0.3 million parameters.
model = dict(
    type='mmpretrain.ImageClassifier',
    backbone=dict(
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
    head=dict(
        type='mmpretrain.LinearClsHead',
        num_classes=10,
        in_channels=96,
        loss=dict(
            type='mmpretrain.LabelSmoothLoss',
            label_smooth_val=0.1,
            mode='original',
        ),
    ),
)
