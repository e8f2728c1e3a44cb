# A Swin for small photos and two processor cores, 2.0 million parameters: four
# stages as Swin-T, a third as wide.
model = dict(
    type='ImageClassifier',
    backbone=dict(
        type='SwinTransformer',
        arch=dict(embed_dims=32, depths=[2, 2, 2, 2], num_heads=[1, 2, 4, 8]),
        img_size=64,
        window_size=4,
        drop_path_rate=0.0,
        out_indices=(3,),
        # The same arithmetic in classification as in detection.
        pad_small_map=True,
        init_cfg=dict(type='Xavier', layer='Linear'),
    ),
    neck=dict(type='GlobalAveragePooling'),
    head=dict(
        type='LinearClsHead',
        num_classes=2,
        in_channels=256,
        loss=dict(type='CrossEntropyLoss'),
    ),
)
