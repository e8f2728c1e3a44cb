# The lightweight ViT of vit-light.py for detectors and segmentors, as
# vit-b16_dense.py. Its patches are of 3 pixels: images enter small, and the
# pyramid has strides 1.5 to 12.
network = dict(
    type='mmdrloc.DenseViT',
    arch=dict(
        embed_dims=192, num_layers=12, num_heads=3, feedforward_channels=384
    ),
    img_size=36,
    patch_size=3,
    out_indices=(2, 5, 8, 11),
    window_size=12,
    drop_path_rate=0.1,
    init_cfg=dict(type='Pretrained', prefix='backbone.'),
)
pyramid = dict(
    type='mmseg.Feature2Pyramid', embed_dim=192, rescales=[2, 1, 0.5, 0.25]
)
maps = [192] * 4
