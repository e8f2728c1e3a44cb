# DeiT-Tiny of deit-tiny.py for detectors and segmentors, as vit-b16_dense.py.
network = dict(
    type='mmdrloc.DenseViT',
    arch='deit-tiny',
    img_size=224,
    patch_size=16,
    out_indices=(2, 5, 8, 11),
    window_size=14,
    drop_path_rate=0.1,
    init_cfg=dict(type='Pretrained', prefix='backbone.'),
)
pyramid = dict(type='mmseg.Feature2Pyramid', embed_dim=192)
maps = [192] * 4
