"""What is said of all formats together."""

import re
from pathlib import Path

import pytest

from mmdrloc.checkpoints.origins import (
    ORIGINS,
    Origin,
    Rule,
    detect_origin,
)
from mmdrloc.utils.errors import UsageError

DOCS = Path(__file__).parents[3] / 'docs/checkpoints.md'


def test_the_docs_list_every_origin():
    rows = re.findall(
        r'^\| `([\w-]+)` \| (.*) \| (.*) \|$', DOCS.read_text(), re.MULTILINE
    )
    assert [name for name, *_ in rows] and {n for n, *_ in rows} == {*ORIGINS}
    for name, _, becomes in rows:
        assert ORIGINS[name].network in becomes or name == 'openmmlab'


def test_unknown_names_are_refused_with_what_is_known():
    with pytest.raises(UsageError, match='named a, b, .*swin-timm'):
        detect_origin(['a', 'b'])


def test_two_formats_at_once_are_refused():
    names = ['backbone.a', 'conv1.weight', 'layer1.0.bn1.running_mean']
    with pytest.raises(UsageError, match='openmmlab, resnet-torchvision'):
        detect_origin(names)


def test_derived_names_without_letters():
    origin = Origin(
        name='a',
        title='A',
        network='X',
        rules=(Rule('b.{t}', 'c.{t}'),),
        marks=('b.{t}',),
        derived=('mask',),
    )
    converted = origin.to_ours(dict.fromkeys(['b.d', 'mask', 'b.d.e']))
    assert list(converted.weights) == ['c.d']
    assert converted.derived == ['mask']
    assert converted.unknown == ['b.d.e']
