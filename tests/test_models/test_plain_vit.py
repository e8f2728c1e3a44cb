"""What a plain ViT starts with."""

import torch

from mmdrloc.registry import MODELS

ARGUMENTS = dict(
    arch=dict(
        embed_dims=16, num_layers=1, num_heads=2, feedforward_channels=16
    ),
    img_size=(16, 32),
    patch_size=4,
)


def test_positions_start_as_sines_and_cosines_and_are_learned():
    vit = MODELS.build(dict(type='mmdrloc.SinCosViT', **ARGUMENTS))
    vit.init_weights()
    positions = vit.pos_embed.detach()
    assert vit.pos_embed.requires_grad
    assert not positions[:, 0].any()  # the class token's
    # A sine and a cosine of each frequency: their squares add up to 1.
    assert torch.allclose(
        (positions[:, 1:] ** 2).sum(-1), torch.tensor(8.0), atol=1e-4
    )
    assert len(positions[0, 1:].unique(dim=0)) == 4 * 8
    grid = positions[0, 1:].view(4, 8, 16)
    near, far = ((grid[0, 0] - grid[0, n]).norm() for n in (1, 7))
    assert near < far


def test_positions_of_given_weights_stay(tmp_path):
    plain = MODELS.build(
        dict(type='mmpretrain.VisionTransformer', **ARGUMENTS)
    )
    plain.init_weights()
    torch.save(plain.state_dict(), tmp_path / 'vit.pth')
    init = dict(type='Pretrained', checkpoint=str(tmp_path / 'vit.pth'))
    vit = MODELS.build(
        dict(type='mmdrloc.SinCosViT', init_cfg=init, **ARGUMENTS)
    )
    vit.init_weights()
    assert vit.pos_embed.equal(plain.pos_embed)


def test_a_convolutional_stem_gives_the_tokens_of_the_same_cells():
    vit = MODELS.build(
        dict(
            type='mmpretrain.VisionTransformer',
            patch_cfg=dict(conv_type='mmdrloc.ConvStem'),
            **ARGUMENTS,
        )
    )
    stem = vit.patch_embed.projection
    images = torch.randn(2, 3, 16, 32, requires_grad=True)
    tokens, size = vit.patch_embed(images)
    assert tokens.shape == (2, 4 * 8, 16) and tuple(size) == (4, 8)
    strides = [m.stride for m in stem.modules() if hasattr(m, 'stride')]
    assert strides == [(2, 2), (2, 2), (1, 1)]
    # The token of row 2, column 5 sees the pixels of its patch.
    tokens[0, 2 * 8 + 5].sum().backward()
    seen = images.grad[0].abs().sum(0).nonzero()
    assert {9, 10} <= {*seen[:, 0].tolist()}
    assert {21, 22} <= {*seen[:, 1].tolist()}
