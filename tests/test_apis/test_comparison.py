"""Twins and their baseline over seeds: planned, trained, resumed, compared."""

from contextlib import contextmanager
from pathlib import Path

import pytest
from tiny_run import TWIN, write_twin
from toy_run import FORK

from mmdrloc.apis import compare
from mmdrloc.apis.comparison import arms_of
from mmdrloc.engine.run_folder.folder import LOCK, locked
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


@pytest.mark.parametrize('seeds', [[], [0, -1], [2**32], ['0']])
def test_seeds_that_are_none(configs, seeds):
    with pytest.raises(UsageError, match='seed'):
        compare(configs[1], seeds)
    with pytest.raises(UsageError, match='one recipe'):
        compare([], [0])


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


def test_checkpoints_of_one_name_are_told_apart(configs):
    plain = Path(configs[0]).name
    arms = arms_of(plain, weights=['a/epoch_1.pth', 'b/epoch_1.pth', 'c/run'])
    assert [arm.title for arm in arms] == [
        'tiny_from_a_epoch_1',
        'tiny_from_b_epoch_1',
        'tiny_from_run',
    ]


def test_two_comparisons_in_one_folder(configs, tmp_path):
    """The second would change what waits in the first."""
    place = tmp_path / 'pairs'
    with locked_by_another(place):
        with pytest.raises(UsageError, match='in use by another training'):
            compare(configs[1], [0], work_dir=place)
    assert not [*place.glob('configs/*')]


@contextmanager
def locked_by_another(folder):
    ready, done = FORK.Event(), FORK.Event()

    def hold():
        with locked(folder / LOCK):
            ready.set()
            done.wait(60)

    process = FORK.Process(target=hold)
    process.start()
    assert ready.wait(60)
    yield
    done.set()
    process.join()
