"""Weights that do not fit, through the command lines that take them."""

import pytest
import torch
from in_process import main, refusal
from tiny_run import write_config

from mmdrloc.checkpoints.reading import load_checkpoint

DRLOC = (
    'model.type=mmdrloc.DRLocClassifier',
    'model.auxiliary_head.type=mmdrloc.DRLocHead',
    'model.auxiliary_head.source=stages.1',
    'model.auxiliary_head.in_channels=16',
)


@pytest.fixture(scope='module')
def trained(tmp_path_factory):
    """A config, and what an epoch of a training left."""
    folder = tmp_path_factory.mktemp('trained')
    config = write_config(folder)
    with pytest.MonkeyPatch.context() as monkeypatch:
        main(
            'train.py',
            config,
            '--cfg-options',
            'train_cfg.max_epochs=1',
            monkeypatch=monkeypatch,
            cwd=folder,
        )
    return config, folder / 'work_dirs/tiny/epoch_1.pth'


def changed(trained, tmp_path, change):
    """A copy of the checkpoint with something else in it."""
    checkpoint = load_checkpoint(trained[1])
    change(checkpoint)
    torch.save(checkpoint, tmp_path / 'changed.pth')
    return trained[0], tmp_path / 'changed.pth'


def test_head_for_training_may_be_absent(trained, tmp_path, monkeypatch):
    def add_head(checkpoint):
        checkpoint['state_dict']['auxiliary_head.mlps.0.w'] = torch.ones(2)

    config, path = changed(trained, tmp_path, add_head)
    place = dict(monkeypatch=monkeypatch, cwd=tmp_path)
    main('test.py', config, path, **place)
    [log] = (tmp_path / 'work_dirs/tiny').glob('*/*.log')
    assert '1 of other parts, left out: auxiliary_head' in log.read_text()
    # And a test with the head does not need the head's weights.
    line = (*trained, '--cfg-options', *DRLOC)
    main('test.py', *line, **place)
    line = (trained[0], '--cfg-options', f'load_from={trained[1]}', *DRLOC)
    message = refusal('train.py', *line, **place)
    assert 'missing in the checkpoint: auxiliary_head' in message


def drop_optimizer(checkpoint):
    del checkpoint['optimizer']


def split_groups(checkpoint):
    [group] = checkpoint['optimizer']['param_groups']
    half = dict(group, params=group['params'][:3])
    checkpoint['optimizer']['param_groups'].append(half)


def forget_when(checkpoint):
    checkpoint['meta']['iter'] = 'three'


def average(checkpoint):
    checkpoint['ema_state_dict'] = {}


def add_scheduler(checkpoint):
    checkpoint['param_schedulers'] = [dict(last_step=1)]


def lose_messages(checkpoint):
    checkpoint['message_hub'] = dict(log_scalars=1)


def break_meta(checkpoint):
    checkpoint['meta'] = [1]


UNRESUMABLE = {
    drop_optimizer: 'no state of a training',
    split_groups: 'parameter groups',
    forget_when: 'no state of a training',
    average: 'averaged weights (EMAHook)',
    add_scheduler: 'parameter schedulers',
    lose_messages: '',
    break_meta: 'damaged',
}


@pytest.mark.parametrize('change', UNRESUMABLE, ids=lambda c: c.__name__)
def test_unresumable(trained, tmp_path, monkeypatch, change):
    config, path = changed(trained, tmp_path, change)
    place = dict(monkeypatch=monkeypatch, cwd=tmp_path)
    message = refusal('train.py', config, '--resume', path, **place)
    assert UNRESUMABLE[change] in message


def test_another_optimizer(trained, tmp_path, monkeypatch):
    line = (trained[0], '--resume', trained[1], '--cfg-options')
    option = 'optim_wrapper.optimizer.type=AdamW'
    place = dict(monkeypatch=monkeypatch, cwd=tmp_path)
    assert 'AdamW' in refusal('train.py', *line, option, **place)
