"""Published values, by what is trained for them."""

from pathlib import Path

import pytest

from mmdrloc.reporting.identity import Identity
from mmdrloc.reporting.published import (
    PublishedValue,
    published_text,
    read_published,
)
from mmdrloc.utils.errors import UsageError

PUBLISHED = Path(__file__).parents[2] / 'configs/published.yml'


def test_values_by_training(tmp_path):
    path = tmp_path / 'published.yml'
    path.write_text(
        'tables:\n'
        "- {source: s, table: '3', rows: ["
        '{recipe: a/net, std: 0.1, values: {x: 82}}]}\n'
        "- {source: s, table: '4', rows: ["
        '{recipe: a/net, values: {x: {box AP: [43.5, 1.0]}}}]}\n'
        "- {source: s, table: '5', rows: ["
        '{recipe: a/net, weights: {recipe: b/net, dataset: same},'
        ' values: {x: 1}}]}\n'
    )
    assert read_published(path) == {
        Identity('a/net', 'x'): [
            PublishedValue('top-1 accuracy', '3', 82.0, 0.1),
            PublishedValue('box AP', '4', 43.5, None),
        ],
        Identity('a/net', 'x', Identity('b/net', 'x')): [
            PublishedValue('top-1 accuracy', '5', 1.0, None)
        ],
    }


@pytest.mark.parametrize('content', [None, '{', 'none: 1'])
def test_a_damaged_file_is_named(tmp_path, content):
    path = tmp_path / 'published.yml'
    if content:
        path.write_text(content)
    with pytest.raises(UsageError, match='published.yml cannot be read'):
        read_published(path)


def test_values_of_the_project():
    published = read_published(PUBLISHED)
    twin = Identity('scratch_100e/swin-tiny_drloc', 'cifar100')
    assert published_text(published[twin]) == '66.23 (Tables 2a, 2b, 4, 16)'
    fewer = twin._replace(options=('model.auxiliary_head.num_pairs=32',))
    assert published_text(published[fewer]) == '63.70 (Table 2a)'
    assert Identity('quickstart/swin-2stage', 'digits') not in published
