"""Runs in Python: trained, looked at, tested, carried, one after another."""

import signal

import pytest
from made_up_run import write_run
from tiny_run import write_config

from mmdrloc import apis
from mmdrloc.apis.run import config_and_checkpoint
from mmdrloc.engine.hooks import ResultHook
from mmdrloc.utils.errors import UsageError


@pytest.fixture
def config(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_config(tmp_path).name


def test_a_training_that_is_interrupted(config, monkeypatch):
    """As by the button of a notebook, which goes on afterwards."""
    note = ResultHook.after_train_iter

    def interrupt(self, runner, *args, **kwargs):
        note(self, runner, *args, **kwargs)
        if runner.iter == 3:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(ResultHook, 'after_train_iter', interrupt)
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt, match='SIGINT'):
        apis.train(config)
    assert signal.getsignal(signal.SIGINT) is before
    monkeypatch.setattr(ResultHook, 'after_train_iter', note)
    run = apis.train(config)
    assert run.result['finished'] and run.result['updates']['done'] == 6


def test_what_a_trained_model_is(tmp_path):
    folder = tmp_path / 'published'
    folder.mkdir()
    with pytest.raises(UsageError, match='no run and no published model'):
        config_and_checkpoint(folder)
    for name in ('config.py', 'model.safetensors'):
        (folder / name).touch()
    assert config_and_checkpoint(folder) == (
        folder / 'config.py',
        folder / 'model.safetensors',
    )
    with pytest.raises(UsageError, match='names no test data'):
        apis.test(folder)
    with pytest.raises(UsageError, match='no folder of a run'):
        config_and_checkpoint(folder / 'config.py')
    # Another checkpoint than the last one, of either.
    other = tmp_path / 'other.pth'
    begun = write_run(tmp_path, 'net', 0, [50.0])
    for place in (folder, begun):
        assert config_and_checkpoint(place, other)[1] == other
    address = 'https://example.org/a.pth'
    assert config_and_checkpoint(folder, address)[1] == address
    with pytest.raises(UsageError, match='no complete checkpoint'):
        config_and_checkpoint(apis.Run(begun))


def test_a_comparison(tmp_path):
    runs = [
        apis.Run(write_run(tmp_path, name, seed, [value], **more))
        for name, values, more in (
            ('net', (50.0, 52.0, 54.0), {}),
            ('net_drloc', (53.0, 53.0, 56.0), dict(baseline='net')),
        )
        for seed, value in enumerate(values)
    ]
    comparison = apis.Comparison(runs, 'net', tmp_path)
    # Student's t of two degrees of freedom: 2 -+ 4.303 / sqrt(3).
    assert '+2.00 [-0.48, +4.48]' in repr(comparison)
    assert '## digits' in comparison.report().read_text()


def test_a_checkpoint_is_not_replaced_by_its_conversion(tmp_path, monkeypatch):
    monkeypatch.setenv('HOME', str(tmp_path))
    (tmp_path / 'a.pth').touch()
    for out in (tmp_path / 'a.pth', '~/a.pth'):
        with pytest.raises(UsageError, match='the checkpoint itself'):
            apis.transfer('~/a.pth', out)
