# A Swin for images of 56 px and two processor cores: grids of 14x14 and 7x7,
# 0.3 million parameters. Classification and the dense tasks take it from
# here as `_base_.swin_2stage` and add `out_indices`.
swin_2stage = dict(
    type='mmpretrain.SwinTransformer',
    arch=dict(embed_dims=48, depths=[2, 2], num_heads=[3, 6]),
    img_size=56,
    # Smaller than the last grid: were one window the whole image, what is
    # learned would not hold for digits that lie across windows in a scene.
    window_size=4,
    drop_path_rate=0.0,
    # The same arithmetic in classification as in detection.
    pad_small_map=True,
    # Strokes are a few pixels wide: the patches overlap.
    patch_cfg=dict(kernel_size=7, stride=4, padding=3),
    # Swin's usual normal distribution of deviation 0.02 is too small for 48
    # channels and would slow training down.
    init_cfg=dict(type='Xavier', layer='Linear'),
)
