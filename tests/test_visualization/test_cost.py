"""Operations of the lightweight ViT against formulas by hand."""

import re
from pathlib import Path

import pytest

from mmdrloc.datasets.recipes import read_recipe
from mmdrloc.utils.errors import UsageError
from mmdrloc.visualization.cost import cost_of_config

CONFIGS = Path(__file__).parents[2] / 'configs/mae'


def by_hand(size, patch, classes, width=192, layers=12, hidden=384):
    """Parameters, full, linear-only and attention-free operations."""
    patches = (size // patch) ** 2
    tokens = patches + 1
    embedding = patches * width * 3 * patch**2
    qkv_and_out = layers * tokens * 4 * width**2
    products = layers * 2 * tokens**2 * width
    ffn = layers * tokens * 2 * width * hidden
    head = width * classes
    layer = (
        (4 * width**2 + 4 * width)  # queries, keys, values, output
        + (2 * width * hidden + width + hidden)
        + 4 * width  # two norms
    )
    parameters = (
        layers * layer
        + (3 * patch**2 + 1) * width
        + (tokens + 1) * width  # positions, class token
        + 2 * width
        + (width + 1) * classes
    )
    outside = embedding + ffn + head
    linear = outside + qkv_and_out
    return parameters, linear + products, linear, outside


@pytest.mark.parametrize(
    'name, dataset, options, size, patch, classes',
    [
        ('vit-light', 'cifar10', {}, 36, 3, 10),
        ('vit-light', 'cifar100', {}, 36, 3, 100),
        ('vit-light-32px-p4', 'cifar10', {}, 32, 4, 10),
        (
            'vit-light',
            'cifar100',
            {'model.backbone.patch_size': 6},
            36,
            6,
            100,
        ),
    ],
)
def test_counts_and_published_bounds(
    name, dataset, options, size, patch, classes
):
    cfg = read_recipe(CONFIGS / f'{name}.py', dataset)
    cfg.merge_from_dict(options)
    cost = cost_of_config(cfg)
    assert tuple(cost) == by_hand(size, patch, classes)
    # The published bounds: fewer than 3.65 M parameters, 0.27 G operations.
    assert cost.parameters < 3.65e6
    assert cost.outside_attention < 0.27e9
    assert (cost.full < 0.27e9) == (patch > 3)


def test_the_table_in_the_docs():
    text = (CONFIGS.parents[1] / 'docs/mae.md').read_text()
    rows = re.findall(r'^\| (\d+) \| (\d+) \| (\d+) \| (.+) \|$', text, re.M)
    assert len(rows) == 8
    for size, patch, classes, printed in rows:
        parameters, *operations = by_hand(int(size), int(patch), int(classes))
        expected = [parameters / 1e6, *(count / 1e9 for count in operations)]
        assert printed == ' | '.join(f'{number:.3f}' for number in expected)
        assert parameters < 3.65e6


def test_the_resnet_of_the_docs():
    text = (CONFIGS.parents[1] / 'docs/mae.md').read_text()
    row = re.search(r'^\| `resnet-light`, 36 px \| (.+) \| .+ \|$', text, re.M)
    cfg = read_recipe(CONFIGS / 'resnet-light.py')
    cost = cost_of_config(cfg, 36)
    assert row[1] == f'{cost.parameters / 1e6:.3f} | {cost.full / 1e9:.3f}'
    assert cost.full == cost.linear == cost.outside_attention


def test_a_pretraining_is_refused():
    cfg = read_recipe(CONFIGS / 'mae_vit-light.py')
    with pytest.raises(UsageError, match='no classifier'):
        cost_of_config(cfg)
