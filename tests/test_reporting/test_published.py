"""Published values out of metafiles."""

from pathlib import Path

import pytest

from mmdrloc.errors import UsageError
from mmdrloc.reporting.published import (
    PublishedValue,
    published_text,
    read_published,
)

ROOT = Path(__file__).parents[2]


def test_values_by_the_name_of_the_config(tmp_path):
    (tmp_path / 'model-index.yml').write_text('Import: [a/metafile.yml]')
    (tmp_path / 'a').mkdir()
    (tmp_path / 'a/metafile.yml').write_text(
        'Models:\n'
        '- {Name: x, Config: configs/a/net_x.py, Published: [\n'
        '    {Source: s, Table: 3, Value: 82, Std: 0.1},\n'
        '    {Source: s, Table: 4, Value: 43.5, Metric: box AP}]}\n'
        '- {Name: y, Config: configs/a/net_y.py}\n'
    )
    assert read_published(tmp_path / 'model-index.yml') == {
        'net_x': [
            PublishedValue('top-1 accuracy', '3', 82.0, 0.1),
            PublishedValue('box AP', '4', 43.5, None),
        ]
    }


def test_missing_metafiles_are_named(tmp_path):
    index = tmp_path / 'model-index.yml'
    index.write_text('Import: [none.yml]')
    with pytest.raises(UsageError, match='none.yml cannot be read'):
        read_published(index)


def test_metafiles_of_the_project():
    published = read_published(ROOT / 'model-index.yml')
    assert published_text(published['swin-tiny_drloc_100e_cifar100']) == (
        '66.23 (Tables 2a, 2b, 4, 16)'
    )
    assert 'swin-2stage_digits' not in published
