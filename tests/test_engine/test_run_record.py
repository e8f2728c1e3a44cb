"""Runs are compared by what changes their result."""

import json
from importlib import import_module

import pytest
from mmengine.config import Config
from tiny_run import write_config

from mmdrloc.engine.run_folder.record import (
    CODE,
    first_difference,
    is_longer,
    record_of,
    settings_of,
)
from mmdrloc.utils.errors import UsageError


@pytest.fixture
def cfg(tmp_path):
    return Config.fromfile(write_config(tmp_path))


def changed(cfg, **options):
    cfg = Config(cfg.to_dict())
    cfg.merge_from_dict(
        {key.replace('__', '.'): value for key, value in options.items()}
    )
    return cfg


@pytest.mark.parametrize(
    'options, words',
    [
        (dict(optim_wrapper__optimizer__lr=0.2), 'lr 0.1, not 0.2'),
        (dict(model__backbone__arch__depths=[1, 2]), 'depths'),
        (dict(train_dataloader__batch_size=2), 'batch'),
        (dict(randomness__seed=4), 'seed 0, not 4'),
        (dict(train_cfg__max_epochs=1), 'epochs 2, not 1'),
        (dict(run=dict(dataset='svhn')), 'dataset none, not svhn'),
        (dict(auto_scale_lr=dict(enable=True)), 'auto_scale_lr.enable'),
        (dict(data_preprocessor__mean=[1.0, 2.0, 3.0]), 'preprocessor.mean'),
        (dict(custom_hooks=[dict(type='EMAHook')]), 'custom_hooks'),
        (dict(train_dataloader__sampler__shuffle=False), 'sampler.shuffle'),
        (dict(train_dataloader__drop_last=True), 'drop_last'),
    ],
)
def test_other_runs(cfg, options, words):
    then = json.loads(json.dumps(record_of(cfg)))
    now = record_of(changed(cfg, **options))
    assert words in first_difference(then, now)
    assert not is_longer(then, now)


@pytest.mark.parametrize(
    'options',
    [
        dict(train_dataloader__num_workers=2),
        dict(work_dir='elsewhere'),
        dict(default_hooks__logger__interval=3),
        dict(run=dict(recipe='the/same/file')),
        dict(train_cfg__max_epochs=3),
    ],
)
def test_the_same_run(cfg, options):
    then = json.loads(json.dumps(record_of(cfg)))
    now = record_of(changed(cfg, **options))
    assert first_difference(then, now) == ''
    assert is_longer(then, now) == ('train_cfg__max_epochs' in options)


def test_another_loss_of_the_same_name(cfg, tmp_path, monkeypatch):
    """A module of the user's is part of what is trained."""
    monkeypatch.syspath_prepend(tmp_path)
    file = tmp_path / 'own_things.py'
    file.write_text('DELTA = 0.1')
    cfg = changed(cfg, custom_imports=dict(imports=['json', 'own_things']))
    import_module('own_things')
    then, settings = record_of(cfg), settings_of(cfg)
    assert (record_of(cfg), settings_of(cfg)) == (then, settings)
    file.write_text('DELTA = 0.01')
    # This process still has what it has imported.
    assert settings_of(cfg) == settings
    with pytest.raises(UsageError, match='own_things.py was edited'):
        record_of(cfg)
    # As in another process, which imports what there is now.
    (tmp_path / 'own_others.py').write_text('DELTA = 0.01')
    import_module('own_others')
    cfg = changed(cfg, custom_imports=dict(imports=['json', 'own_others']))
    assert 'custom_imports' in first_difference(then, record_of(cfg))
    assert settings_of(cfg) != settings
    before = {k: v for k, v in then.items() if k != CODE}
    assert first_difference(before, record_of(cfg)) == ''


def test_the_same_batch_in_more_processes(cfg, monkeypatch):
    then = record_of(cfg)
    monkeypatch.setenv('WORLD_SIZE', '2')
    assert first_difference(then, record_of(cfg)) == ''  # without a launcher
    cfg.launcher = 'pytorch'
    said = first_difference(then, record_of(cfg))
    assert 'global batch 4, not 8' in said
    assert 'train_dataloader.batch_size x processes = 4 it' in said
    cfg = changed(cfg, train_dataloader__batch_size=2)
    assert first_difference(then, record_of(cfg)) == ''


def test_weights_count_by_their_content(cfg, tmp_path):
    first, second = tmp_path / 'first.pth', tmp_path / 'second.pth'
    first.write_bytes(b'weights')
    second.write_bytes(b'others')
    then = record_of(cfg, str(first))
    assert 'weights' in first_difference(then, record_of(cfg, str(second)))
    assert 'weights' in first_difference(then, record_of(cfg))
    second.write_bytes(b'weights')
    assert first_difference(then, record_of(cfg, str(second))) == ''
    first.write_bytes(b'others')
    assert 'weights' in first_difference(then, record_of(cfg, str(first)))
    first.unlink()  # a run that was begun needs them no more
    assert first_difference(then, record_of(cfg, str(first))) == ''
    second.unlink()
    assert 'weights' in first_difference(then, record_of(cfg, str(second)))
