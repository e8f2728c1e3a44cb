"""The head through its public contract, against references and goldens."""

import itertools

import drloc_reference as reference
import pytest
import torch
from golden import load_golden
from mmengine.logging import MessageHub
from torch import nn

from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError

GRIDS = [(7, 7), (4, 9), (9, 4), (14, 14)]


def build_head(loss='DRLocL1Loss', loss_kwargs=None, **kwargs):
    config = dict(
        type='mmdrloc.DRLocHead',
        source='stages.3',
        in_channels=6,
        hidden_channels=10,
        loss=dict(type=f'mmdrloc.{loss}', **(loss_kwargs or {})),
    )
    config.update(kwargs)
    return MODELS.build(config)


def random_case(size, channels=6, batch_size=2, num_pairs=9):
    torch.manual_seed(0)
    grid = torch.randn(batch_size, channels, *size, dtype=torch.float64)
    cells = [
        torch.randint(length, (batch_size, num_pairs)) for length in 2 * size
    ]
    return grid, torch.stack(cells, dim=-1)


@pytest.mark.parametrize('size', GRIDS)
@pytest.mark.parametrize('signed', [False, True])
@pytest.mark.parametrize(
    'normalize,divide',
    [('k', lambda k: k), ('k-1', lambda k: k - 1), ('none', lambda k: 1)],
)
def test_l1_equals_float64_reference(size, signed, normalize, divide):
    head = build_head(loss_kwargs=dict(signed=signed, normalize=normalize))
    head.double()
    grid, pairs = random_case(size)
    losses = head.loss([grid], [pairs])
    answers = reference.mlp_answers(head.state_dict(), grid, pairs)
    expected = reference.l1(answers, pairs, size, signed, divide)
    assert losses['drloc_raw'].item() == pytest.approx(expected, rel=1e-12)
    assert losses['loss_drloc'].item() == pytest.approx(
        0.5 * expected, rel=1e-12
    )
    assert float(losses['drloc_weight']) == 0.5


@pytest.mark.parametrize('size', GRIDS)
@pytest.mark.parametrize(
    'loss,expected',
    [
        ('DRLocCrossEntropyLoss', reference.cross_entropy),
        ('DRLocGaussianLoss', reference.gaussian),
    ],
)
def test_class_losses_equal_float64_reference(size, loss, expected):
    head = build_head(loss, grid_size=size).double()
    grid, pairs = random_case(size)
    raw = head.loss([grid], [pairs])['drloc_raw']
    rows, cols = head.predict(grid, pairs)
    assert rows.shape == (2, 9, 2 * size[0] + 1)
    assert cols.shape == (2, 9, 2 * size[1] + 1)
    answers = reference.mlp_answers(head.state_dict(), grid, pairs, 2)
    # The guard of the variance, 1e-8, is all that differs.
    assert float(raw) == pytest.approx(
        expected(answers, pairs, size), rel=1e-7
    )


def test_a_convention_of_the_loss_is_not_overwritten():
    with pytest.raises(UsageError, match='at the head alone'):
        build_head('DRLocL1Loss', dict(convention='official'))
    same = dict(convention='official')
    head = build_head('DRLocL1Loss', dict(same, signed=True), **same)
    assert head.loss_module.convention == 'official'


@pytest.mark.parametrize('index', range(8))
def test_official_code_is_reproduced(index):
    """Loss and prediction of the released code, from its own weights."""
    golden = load_golden('official_losses.pt')
    case = golden['cases'][index]
    loss = dict(
        l1='DRLocL1Loss', ce='DRLocCrossEntropyLoss', cbr='DRLocGaussianLoss'
    )[case['mode']]
    head = build_head(
        loss,
        dict(
            signed=not case['use_abs'],
            normalize='k-1' if case['normalize'] else 'none',
        ),
        convention='official',
        in_channels=16,
        hidden_channels=512,
        grid_size=(7, 7),
    )
    official = golden['weights'][case['weights']]
    state = head.state_dict()
    assert len(state) == len(official)
    head.load_state_dict(dict(zip(state, official.values())))

    losses = head.loss([case['grid']], [case['pairs']])
    torch.testing.assert_close(
        losses['drloc_raw'], case['loss'], rtol=1e-5, atol=0
    )
    prediction = head.predict(case['grid'], case['pairs'])
    if isinstance(prediction, tuple):
        prediction = torch.stack(prediction, dim=-1)
    torch.testing.assert_close(
        prediction.flatten(0, 1), case['prediction'], rtol=1e-5, atol=1e-5
    )


def test_pairs_are_uniform_over_cells():
    head = build_head(num_pairs=2000)
    pairs = head.sample_pairs(50, (3, 5), 'cpu')
    assert pairs.shape == (50, 2000, 4) and pairs.dtype == torch.int64
    rows_a, cols_a, rows_b, cols_b = pairs.flatten(0, 1).unbind(-1)
    joint = ((rows_a * 5 + cols_a) * 15 + rows_b * 5 + cols_b).bincount(
        minlength=225
    )
    assert joint.numel() == 225
    expected = 50 * 2000 / 225
    chi_square = float(((joint - expected) ** 2 / expected).sum())
    # 224 degrees of freedom: mean 224, deviation 21.2; five deviations.
    assert abs(chi_square - 224) < 106


def test_pairs_follow_seed_rank_and_iteration(monkeypatch):
    hub = MessageHub.get_instance('pairs_follow')  # the current one

    def draw(seed, rank, iteration, head=None):
        torch.manual_seed(seed)
        monkeypatch.setattr('mmdrloc.models.drloc_head.get_rank', lambda: rank)
        hub.update_info('iter', iteration)
        head = head or build_head()
        return head.sample_pairs(2, (7, 7), 'cpu')

    first = draw(0, 0, 5)
    assert torch.equal(first, draw(0, 0, 5))  # as after a resume
    for other in (draw(1, 0, 5), draw(0, 1, 5), draw(0, 0, 6)):
        assert not torch.equal(first, other)
    head = build_head()
    assert torch.equal(first, draw(0, 0, 5, head))
    assert not torch.equal(first, draw(0, 0, 5, head))  # twice in one step


@pytest.mark.parametrize('pool', [None, 'avg2x2', 'avg3x3s2'])
@pytest.mark.parametrize('padded', [False, True])
def test_of_all_constants_the_best_has_skill_0(pool, padded):
    size = (8, 12) if pool else (4, 6)
    head = build_head(pool=pool, num_pairs=3000)
    valid = torch.tensor([list(size), [size[0] // 2, size[1] - 2]])
    grid = torch.randn(2, 6, *size)
    last = head.mlps[0].layers[-1]
    torch.nn.init.zeros_(last.weight)
    skills = []
    with torch.no_grad():
        for rows, cols in itertools.product(range(4), range(6)):
            last.bias.copy_(torch.tensor([rows / 4, cols / 6]))
            losses = head.loss([grid], valid_sizes=[valid] if padded else None)
            skills.append(float(losses['drloc_skill']))
    assert max(skills) == pytest.approx(0, abs=0.02)
    assert min(skills) < -0.5


def test_skill_is_of_all_sources_together():
    head = build_head(source=['a', 'b'], in_channels=[6, 4])
    grids = [torch.randn(2, 6, 7, 7), torch.randn(2, 4, 5, 8)]
    losses = head.loss(grids)
    # Mean distances of two of k numbers to their median, over k.
    best = {7: 66 / 49 / 7, 5: 25 / 25 / 5, 8: 100 / 64 / 8}
    constant = best[7] + (best[5] + best[8]) / 2
    assert float(losses['drloc_skill']) == pytest.approx(
        1 - float(losses['drloc_raw']) / constant
    )
    assert not losses['drloc_skill'].requires_grad


def test_a_grid_of_one_cell_asks_nothing():
    for loss in ('DRLocL1Loss', 'DRLocCrossEntropyLoss'):
        head = build_head(loss, grid_size=(1, 1))
        assert head.loss([torch.randn(2, 6, 1, 1)])['drloc_skill'] == 0


def test_pools():
    grid = torch.arange(196.0).view(1, 1, 14, 14)
    pairs = torch.tensor([[[0, 0, 6, 6]]])
    for pool, layer in [
        ('avg2x2', nn.AvgPool2d(2)),
        ('avg3x3s2', nn.AvgPool2d(3, 2, 1, count_include_pad=False)),
    ]:
        head = build_head(pool=pool, in_channels=1)
        assert layer(grid).shape == (1, 1, 7, 7)
        unpooled = build_head(in_channels=1)
        unpooled.load_state_dict(head.state_dict())
        assert torch.equal(
            head.predict(grid, pairs), unpooled.predict(layer(grid), pairs)
        )


def test_several_sources_have_an_mlp_each_and_are_summed():
    head = build_head(source=['a', 'b'], in_channels=[6, 4])
    grid_a, pairs = random_case((7, 7))
    grid_b = torch.randn(2, 4, 5, 8)
    pairs_b = random_case((5, 8))[1]
    both = head.loss([grid_a.float(), grid_b], [pairs, pairs_b])
    alone = [
        head.loss_module(
            head.predict(grid, p, index), p, grid.shape[2:]
        ).item()
        for index, (grid, p) in enumerate(
            [(grid_a.float(), pairs), (grid_b, pairs_b)]
        )
    ]
    assert float(both['drloc_raw']) == pytest.approx(sum(alone), rel=1e-6)


def test_state_dict_holds_the_mlp_alone():
    head = build_head('DRLocCrossEntropyLoss', grid_size=(7, 7))
    assert list(head.state_dict()) == [
        f'mlps.0.{layer}.{kind}'
        for layer in ('layers.0', 'layers.2', 'branches.0', 'branches.1')
        for kind in ('weight', 'bias')
    ]
    assert head.mlps[0].layers[0].weight.shape == (10, 12)


def test_initialisation_is_the_heads_own():
    head = build_head(in_channels=64, hidden_channels=256)
    head.init_weights()
    weight = head.mlps[0].layers[0].weight
    assert float(weight.std()) == pytest.approx(0.02, rel=0.05)
    assert not head.mlps[0].layers[0].bias.any()


@pytest.mark.parametrize(
    'kwargs,words',
    [
        (dict(pool='max'), "pool='max'"),
        (dict(num_pairs=0), 'num_pairs=0'),
        (dict(hidden_channels=0), 'hidden_channels=0'),
        (dict(in_channels='6'), "in_channels='6'"),
        (dict(source=[], in_channels=[]), 'names no module'),
        (dict(in_channels=[6, 6]), '2 entries for 1 sources'),
        (dict(grid_size=[(7, 7), (7, 7)]), 'grid_size has 2 entries'),
        (dict(loss_kwargs=dict(normalize='2k')), "normalize='2k'"),
        (dict(loss_kwargs=dict(loss_weight=-1)), 'loss_weight=-1'),
        (dict(loss='DRLocGaussianLoss'), 'grid_size'),
    ],
)
def test_impossible_arguments_are_named(kwargs, words):
    with pytest.raises(UsageError, match=words):
        build_head(**kwargs)


def test_an_axis_without_padding_keeps_all_pooled_cells():
    """Of 4 x 5; the second image has padding below."""
    head = build_head(pool='avg3x3s2', num_pairs=500)
    drawn, draw = [], head.sample_pairs

    def sample_pairs(*args, **kwargs):
        drawn.append(draw(*args, **kwargs))
        return drawn[-1]

    head.sample_pairs = sample_pairs
    valid = torch.tensor([[7, 9], [5, 9]])
    head.loss([torch.randn(2, 6, 7, 9)], valid_sizes=[valid])
    furthest = drawn[0].unflatten(2, (2, 2)).amax((1, 2))
    assert furthest.tolist() == [[3, 4], [1, 4]]
