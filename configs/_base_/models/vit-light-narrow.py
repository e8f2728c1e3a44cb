# The lightweight ViT at half the width and depth, for images of 32 pixels:
# trains on two cores.
_base_ = './vit-light.py'

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
        drop_path_rate=0.0,
    ),
    head=dict(in_channels=96),
    # A short training has no use for mixed images.
    train_cfg=None,
)
