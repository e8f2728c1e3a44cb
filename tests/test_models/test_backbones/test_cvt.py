"""CvT in its two variants."""

import pytest
import torch
from model_configs import build_shapes, size

from mmdrloc.models import CvT, GridTap
from mmdrloc.models.backbones.cvt import ConvAttention, StdLayerNorm
from mmdrloc.utils.errors import UsageError

TINY = dict(embed_dims=[8, 16, 24], depths=[1, 1, 2], num_heads=[1, 2, 3])
VARIANTS = ('drloc', 'microsoft')


def tiny(*args, **kwargs):
    torch.manual_seed(0)
    network = CvT(TINY, *args, **kwargs)
    network.eval()  # mmpretrain's returns None
    return network


def test_parameters_of_cvt_13():
    assert size(build_shapes('cvt-13').parameters()) == 19_936_296
    # The classifier adds 384 weights and a bias a class.
    with torch.device('meta'):
        network = CvT('13', variant='microsoft')
    assert size(network.parameters()) == 19_997_480 - 385_000


@pytest.mark.parametrize(
    'variant, sizes',
    [
        ('drloc', [(17, 25), (9, 13), (5, 7)]),
        ('microsoft', [(16, 25), (8, 13), (4, 7)]),
    ],
)
def test_pyramid_of_an_odd_image(variant, sizes):
    network = tiny(variant, out_indices=(0, 1, 2))
    grids = network(torch.randn(2, 3, 65, 99))
    assert [tuple(grid.shape[2:]) for grid in grids] == sizes
    assert [grid.shape[1] for grid in grids] == TINY['embed_dims']
    assert all(grid.is_contiguous() for grid in grids)


@pytest.mark.parametrize('variant', VARIANTS)
def test_the_tap_sees_14_by_14_cells(variant):
    network = tiny(variant)
    sources = ['stages.2', 'stages.2.blocks.1']
    with GridTap(network, sources, [24, 24]) as tap:
        (output,) = network(torch.randn(1, 3, 224, 224))
    stage, block = tap.grids()
    assert stage.shape == (1, 24, 14, 14)
    assert stage.equal(block)
    assert stage.equal(output) == (variant == 'drloc')


@pytest.mark.parametrize('width, divisor', [(5, 5), (None, 8)])
def test_attention_is_the_softmax_of_scaled_scores(width, divisor):
    attention = ConvAttention(8, 2, width, True, False).eval()
    width = width or 4
    tokens = torch.randn(2, 12, 8)
    found = attention(tokens, (3, 4))

    grid = tokens.transpose(1, 2).unflatten(2, (3, 4))
    none = tokens[:, :0]
    query = attention.project['q'](none, grid)
    key, value = attention.project['kv'](none, grid).chunk(2, dim=2)
    assert key.shape == (2, 2 * 2, 2 * width)  # every other row and column
    heads = []
    for head in (slice(0, width), slice(width, 2 * width)):
        scores = query[..., head] @ key[..., head].transpose(1, 2)
        weights = (scores / divisor**0.5).softmax(-1)
        heads.append(weights @ value[..., head])
    torch.testing.assert_close(found, attention.out(torch.cat(heads, -1)))


def test_std_layer_norm():
    norm = StdLayerNorm(3)
    x = torch.tensor([[1e-5, 0, -1e-5]])
    std = 1e-5 * (2 / 3) ** 0.5
    torch.testing.assert_close(norm(x), x / (std + 1e-5))
    constant = torch.ones(1, 3, requires_grad=True)
    norm(constant).sum().backward()
    assert constant.grad.isfinite().all()


@pytest.mark.parametrize(
    'arguments, message',
    [
        (dict(arch='14'), "arch='14' is none of"),
        (dict(variant='other'), "variant='other' is none of"),
        (dict(out_type='raw'), "out_type='raw' is none of"),
        (dict(out_type='cls_token'), "of .'featmap'"),
        (
            dict(
                variant='microsoft', out_type='cls_token', out_indices=(1, 2)
            ),
            "of .'featmap'",
        ),
    ],
)
def test_refuses(arguments, message):
    with pytest.raises(UsageError, match=message):
        CvT(**{'arch': TINY, **arguments})


def test_paths_are_dropped_in_the_last_stage_alone():
    network = CvT(dict(TINY, depths=[2, 2, 3]), drop_path_rate=0.2)
    rates = [
        [block.drop_path.drop_prob for block in stage.blocks]
        for stage in network.stages
    ]
    assert rates == [[0, 0], [0, 0], pytest.approx([0, 0.1, 0.2])]


def test_std_layer_norm_in_mixed_precision():
    """In float32, as PyTorch's own under autocast."""
    norm, x = StdLayerNorm(64), (10 + torch.randn(4, 64)).bfloat16()
    with torch.autocast('cpu', torch.bfloat16):
        assert norm(x).equal(norm(x.float()))
