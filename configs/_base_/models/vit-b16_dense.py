# ViT-B/16 of vit-b16.py for detectors and segmentors. The four layers whose
# maps are put out see the whole image, the others windows of 14x14 cells, as
# in ViTDet; a pyramid of strides 4 to 32 is made of the four maps. It starts
# from the weights that --weights names. Recipes take `_base_.network`,
# `_base_.pyramid` and `_base_.maps` from here.
network = dict(
    type='mmdrloc.DenseViT',
    arch='base',
    img_size=224,
    patch_size=16,
    out_indices=(2, 5, 8, 11),
    window_size=14,
    drop_path_rate=0.1,
    qkv_bias=False,
    norm_cfg=dict(type='LN', eps=1e-5),
    init_cfg=dict(type='Pretrained', prefix='backbone.'),
)
pyramid = dict(type='mmseg.Feature2Pyramid', embed_dim=768)
maps = [768] * 4
