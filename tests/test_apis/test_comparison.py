"""Twins and their baseline over seeds: planned, trained, resumed, compared."""

from pathlib import Path

import pytest
from tiny_run import TWIN, write_twin

from mmdrloc.apis import compare
from mmdrloc.apis.comparison import arms_of
from mmdrloc.utils.errors import UsageError


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """Each test works in a folder of its own."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def configs(tmp_path):
    twin = write_twin(tmp_path)
    return [str(twin.with_name('tiny.py')), str(twin)]


def test_no_runs_at_a_time_train_nothing(configs):
    with pytest.raises(UsageError, match='give 1 or more'):
        compare(configs[1], [0], jobs=0)


def test_the_baseline_of_a_twin_is_found(configs):
    plain, twin = (Path(config).name for config in configs)
    other = Path(configs[1]).with_name('other_drloc.py')
    other.write_text("_base_ = 'tiny_drloc.py'")
    assert arms_of([twin, other.name]) == [
        (plain, None),
        (twin, None),
        ('other_drloc.py', None),
    ]
    assert arms_of(twin, weights=['a.pth']) == [
        (plain, 'a.pth'),
        (twin, 'a.pth'),
    ]
    with pytest.raises(UsageError, match='--baseline'):
        arms_of(plain)
    assert arms_of(plain, baseline=twin) == [(twin, None), (plain, None)]
    other.write_text(Path(configs[0]).read_text())
    second = other.with_name('second.py')
    second.write_text(TWIN.replace('tiny', 'other_drloc'))
    with pytest.raises(UsageError, match='several'):
        arms_of([twin, 'second.py'])


def test_several_weights_are_compared_in_one_config(configs):
    plain = Path(configs[0]).name
    weights = ['none', 'a.pth']
    assert arms_of(plain, weights=weights) == [(plain, None), (plain, 'a.pth')]


def test_names_that_runs_would_share(configs):
    with pytest.raises(UsageError, match='the same name .*tiny'):
        arms_of(['elsewhere/tiny.py'], configs[0])


def test_weights_that_tables_would_not_tell_apart(configs, tmp_path):
    """Files of one name, of which no run is known."""
    weights = [tmp_path / folder / 'model.pth' for folder in 'ab']
    for one in weights:
        one.parent.mkdir()
        one.touch()
    with pytest.raises(UsageError, match='the same name'):
        arms_of(Path(configs[0]).name, weights=weights)
