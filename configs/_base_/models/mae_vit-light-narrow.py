# The masked auto-encoder at half the width and depth, for images of 32 pixels:
# trains on two cores.
_base_ = './mae_vit-light.py'

model = dict(
    backbone=dict(
        arch=dict(
            embed_dims=96,
            num_layers=6,
            num_heads=3,
            feedforward_channels=192,
        ),
        img_size=32,
        patch_size=4,
    ),
    neck=dict(
        num_patches=(32 // 4) ** 2,
        patch_size=4,
        embed_dim=96,
        decoder_embed_dim=96,
        decoder_depth=2,
        decoder_num_heads=3,
        mlp_ratio=2,
    ),
    head=dict(patch_size=4),
)
