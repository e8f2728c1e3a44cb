# The masked auto-encoder at half the width and depth: trains on two cores.
_base_ = './mae_vit-light.py'

model = dict(
    backbone=dict(
        arch=dict(
            embed_dims=96,
            num_layers=6,
            num_heads=3,
            feedforward_channels=192,
        )
    ),
    neck=dict(
        embed_dim=96,
        decoder_embed_dim=96,
        decoder_depth=2,
        decoder_num_heads=3,
        mlp_ratio=2,
    ),
)
