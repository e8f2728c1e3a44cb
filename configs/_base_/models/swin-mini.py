# A Swin for small photos and two processor cores, 2.0 million parameters: four
# stages as Swin-T, a third as wide. Classification and the dense tasks take
# it from here as `_base_.swin_mini` and add `out_indices`.
swin_mini = dict(
    type='mmpretrain.SwinTransformer',
    arch=dict(embed_dims=32, depths=[2, 2, 2, 2], num_heads=[1, 2, 4, 8]),
    img_size=64,
    window_size=4,
    drop_path_rate=0.0,
    # The same arithmetic in classification as in detection.
    pad_small_map=True,
    init_cfg=dict(type='Xavier', layer='Linear'),
)
