# T2T-ViT-14 of t2t-vit-14.py for detectors and segmentors, as
# vit-b16_dense.py.
network = dict(
    type='mmdrloc.DenseT2TViT',
    img_size=224,
    embed_dims=384,
    num_layers=14,
    out_indices=(3, 6, 10, 13),
    window_size=14,
    drop_path_rate=0.1,
    layer_cfgs=dict(num_heads=6, feedforward_channels=3 * 384),
    init_cfg=dict(type='Pretrained', prefix='backbone.'),
)
pyramid = dict(type='mmseg.Feature2Pyramid', embed_dim=384)
maps = [384] * 4
