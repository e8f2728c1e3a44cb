# The lightweight ViT as a masked auto-encoder.
# At second hand are the image size, the mask ratio, learnt positions and that
# visible patches count; layers and FFN ratio are from a later paper of the
# author; the rest is ours (docs/mae.md).
model = dict(
    type='mmdrloc.LightMAE',
    backbone=dict(
        type='mmdrloc.LightMAEViT',
        arch=dict(
            embed_dims=192,
            num_layers=12,
            num_heads=3,
            feedforward_channels=384,
        ),
        img_size=36,
        patch_size=3,
        mask_ratio=0.75,
    ),
    neck=dict(
        type='mmdrloc.LightMAEDecoder',
        num_patches=(36 // 3) ** 2,
        patch_size=3,
        embed_dim=192,
        decoder_embed_dim=192,
        decoder_depth=4,
        decoder_num_heads=3,
        mlp_ratio=4,
    ),
    head=dict(
        type='mmdrloc.LightMAEHead',
        patch_size=3,
        norm_pix=False,
        visible_weight=0.1,
        loss=dict(type='PixelReconstructionLoss', criterion='L2'),
    ),
    init_cfg=[
        dict(type='Xavier', layer='Linear', distribution='uniform'),
        dict(type='Constant', layer='LayerNorm', val=1.0, bias=0.0),
    ],
)
