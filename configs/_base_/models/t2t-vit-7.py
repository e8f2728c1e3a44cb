# T2T-ViT-7 with Performer tokens (Yuan et al., 2021).
_base_ = './t2t-vit-14.py'

model = dict(
    backbone=dict(
        embed_dims=256,
        num_layers=7,
        layer_cfgs=dict(num_heads=4, feedforward_channels=2 * 256),
    ),
    head=dict(in_channels=256),
)
