"""How the ViTs start, and how many parameters they have."""

import pytest
import torch
from mmengine.registry import init_default_scope
from model_configs import build_shapes, size

from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError


@pytest.mark.parametrize(
    'name,count',
    [
        ('vit-b16', 86_540_008),
        ('scratch_100e/vit-b16_drloc', 86_540_008 + 1_050_626),
        ('deit-tiny', 5_717_416),
    ],
)
def test_number_of_parameters(name, count):
    assert size(build_shapes(name).parameters()) == count


def build(kind, **options):
    torch.manual_seed(0)
    arch = dict(
        embed_dims=32, num_layers=1, num_heads=2, feedforward_channels=8
    )
    vit = MODELS.build(
        dict(
            type=kind,
            arch=arch,
            img_size=(32, 64),
            patch_size=4,
            out_type='avg_featmap',
            **options,
        )
    )
    vit.init_weights()
    return vit


@pytest.mark.parametrize('kind, deviation', [('DeiT', 0.02), ('DRLocViT', 1)])
@pytest.mark.parametrize('with_cls_token', [True, False])
def test_with_and_without_a_class_token(kind, deviation, with_cls_token):
    vit = build(f'mmdrloc.{kind}', with_cls_token=with_cls_token)
    for tokens in (vit.pos_embed, vit.cls_token)[: 1 + with_cls_token]:
        assert float(tokens.std()) == pytest.approx(deviation, rel=0.3)
    assert vit(torch.randn(1, 3, 32, 64))[0].shape == (1, 32)


def test_positions_start_as_sines_and_cosines_and_are_learned(tmp_path):
    vit = build('mmdrloc.SinCosViT')
    positions = vit.pos_embed.detach()
    assert vit.pos_embed.requires_grad
    assert not positions[:, 0].any()  # the class token's
    # A sine and a cosine of each frequency: their squares add up to 1.
    squares = (positions[:, 1:] ** 2).sum(-1)
    assert torch.allclose(squares, torch.tensor(16.0), atol=1e-4)
    assert len(positions[0, 1:].unique(dim=0)) == 8 * 16
    grid = positions[0, 1:].view(8, 16, 32)
    near, far = ((grid[0, 0] - grid[0, n]).norm() for n in (1, 7))
    assert near < far
    # One half tells the row and the other the column, each alone.
    tall, wide = (half for half in grid.split(16, dim=-1))
    assert tall.std(0).max() < 1e-6 or tall.std(1).max() < 1e-6
    assert wide.std(0).max() < 1e-6 or wide.std(1).max() < 1e-6
    # Those of given weights stay.
    plain = build('mmpretrain.VisionTransformer')
    torch.save(plain.state_dict(), tmp_path / 'vit.pth')
    init = dict(type='Pretrained', checkpoint=str(tmp_path / 'vit.pth'))
    vit = build('mmdrloc.SinCosViT', init_cfg=init)
    assert vit.pos_embed.equal(plain.pos_embed)


def test_a_convolutional_stem_gives_the_tokens_of_the_same_cells():
    vit = build(
        'mmpretrain.VisionTransformer',
        patch_cfg=dict(conv_type='mmdrloc.ConvStem'),
    )
    stem = vit.patch_embed.projection
    images = torch.randn(2, 3, 32, 64, requires_grad=True)
    tokens, grid = vit.patch_embed(images)
    assert tokens.shape == (2, 8 * 16, 32) and tuple(grid) == (8, 16)
    strides = [m.stride for m in stem.modules() if hasattr(m, 'stride')]
    assert strides == [(2, 2), (2, 2), (1, 1)]
    # The token of row 2, column 5 sees the pixels of its patch.
    tokens[0, 2 * 16 + 5].sum().backward()
    seen = images.grad[0].abs().sum(0).nonzero()
    assert {9, 10} <= {*seen[:, 0].tolist()}
    assert {21, 22} <= {*seen[:, 1].tolist()}


@pytest.mark.parametrize(
    'patches',
    [
        dict(kernel_size=12, stride=12),
        dict(stride=2),
        dict(kernel_size=(4, 8)),
    ],
)
def test_patches_that_a_convolutional_stem_cannot_make(patches):
    stem = dict(patches, conv_type='mmdrloc.ConvStem')
    with pytest.raises(UsageError, match='square patches beside each other'):
        build('mmpretrain.VisionTransformer', patch_cfg=stem)


def test_a_swin_without_positions_takes_none_from_a_file():
    init_default_scope('mmpretrain')
    kind = dict(type='mmdrloc.SwinWithoutPositions', arch='tiny')
    swin = MODELS.build(dict(kind, type='SwinTransformer'))
    with torch.no_grad():
        for weight in swin.parameters():
            weight += 1
    network = MODELS.build(kind)
    # MMEngine wraps a model before it initialises it, and DDP waits for the
    # gradient of what is trained then.
    trained = [p.requires_grad for p in network.parameters()]
    network.load_state_dict(swin.state_dict())
    assert trained == [p.requires_grad for p in network.parameters()]
    for name, weight in network.named_parameters():
        if 'relative_position' in name:
            assert not weight.any() and not weight.requires_grad
        else:
            assert weight.equal(swin.get_parameter(name))


def test_a_swin_without_positions_starts_from_no_weights():
    """They have positions, which would stay as they are."""
    init_default_scope('mmpretrain')
    init = dict(type='Pretrained', checkpoint='swin.pth')
    kind = dict(type='mmdrloc.SwinWithoutPositions', arch='tiny')
    assert MODELS.build(kind)
    with pytest.raises(UsageError, match='take SwinTransformer'):
        MODELS.build(dict(kind, init_cfg=init))
