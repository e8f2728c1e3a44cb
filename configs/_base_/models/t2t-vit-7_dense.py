# T2T-ViT-7 of t2t-vit-7.py for detectors and segmentors.
_base_ = './t2t-vit-14_dense.py'

network = dict(
    embed_dims=256,
    num_layers=7,
    out_indices=(1, 3, 4, 6),
    layer_cfgs=dict(num_heads=4, feedforward_channels=2 * 256),
)
pyramid = dict(embed_dim=256)
maps = [256] * 4
