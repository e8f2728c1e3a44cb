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


def halve(checkpoint):
    weights = checkpoint['state_dict']
    for name in list(weights)[::2]:
        del weights[name]


def rename(checkpoint):
    weights = checkpoint['state_dict']
    for name in list(weights):
        weights[f'net.{name}'] = weights.pop(name)


def spoil(checkpoint):
    checkpoint['state_dict']['head.fc.weight'][0] = float('nan')


def widen(checkpoint):
    checkpoint['state_dict']['head.fc.weight'] = torch.ones(7, 16)


def make_whole_numbers(checkpoint):
    weights = checkpoint['state_dict']
    weights['head.fc.weight'] = weights['head.fc.weight'].long()


def empty(checkpoint):
    checkpoint['state_dict'].clear()


UNFIT = {
    halve: 'missing in the checkpoint',
    rename: 'missing in the checkpoint',
    spoil: 'NaN or infinity in head.fc.weight',
    widen: '1 of another shape: head.fc.weight',
    make_whole_numbers: '1 of another shape',
    empty: 'holds no model weights',
}


@pytest.mark.parametrize('change', UNFIT, ids=lambda change: change.__name__)
@pytest.mark.parametrize('tool', ['test', 'load_from', 'resume'])
def test_unfit_weights(trained, tmp_path, monkeypatch, change, tool):
    config, path = changed(trained, tmp_path, change)
    lines = dict(
        test=('test.py', config, path),
        load_from=('train.py', config, '--cfg-options', f'load_from={path}'),
        resume=('train.py', config, '--resume', path),
    )
    message = refusal(*lines[tool], monkeypatch=monkeypatch, cwd=tmp_path)
    assert str(path) in message and UNFIT[change] in message


def test_another_network(trained, tmp_path, monkeypatch):
    message = refusal(
        'test.py',
        *trained,
        '--cfg-options',
        'model.backbone.arch.depths=[1,2]',
        monkeypatch=monkeypatch,
        cwd=tmp_path,
    )
    assert 'missing in the checkpoint: backbone.stages.1.blocks.1' in message
    assert '--partial takes the' in message


def test_part_of_the_weights_where_it_is_wanted(
    trained, tmp_path, monkeypatch, caplog
):
    config, path = changed(trained, tmp_path, widen)
    main(
        'test.py',
        config,
        path,
        '--partial',
        monkeypatch=monkeypatch,
        cwd=tmp_path,
    )
    [log] = (tmp_path / 'work_dirs/tiny').glob('*/*.log')
    assert '1 of another shape: head.fc.weight' in log.read_text()


def test_part_is_not_nothing(trained, tmp_path, monkeypatch):
    config, path = changed(trained, tmp_path, rename)
    message = refusal(
        'test.py',
        config,
        path,
        '--partial',
        monkeypatch=monkeypatch,
        cwd=tmp_path,
    )
    assert 'Nothing in it fits' in message


def test_head_for_training_may_be_absent(trained, tmp_path, monkeypatch):
    def add_head(checkpoint):
        checkpoint['state_dict']['auxiliary_head.mlps.0.w'] = torch.ones(2)

    config, path = changed(trained, tmp_path, add_head)
    main('test.py', config, path, monkeypatch=monkeypatch, cwd=tmp_path)
    [log] = (tmp_path / 'work_dirs/tiny').glob('*/*.log')
    assert '1 of other parts, left out: auxiliary_head' in log.read_text()
    # And a test with the head does not need the head's weights.
    line = (*trained, '--cfg-options', *DRLOC)
    main('test.py', *line, monkeypatch=monkeypatch, cwd=tmp_path)
    message = refusal(
        'train.py',
        trained[0],
        '--cfg-options',
        f'load_from={trained[1]}',
        *DRLOC,
        monkeypatch=monkeypatch,
        cwd=tmp_path,
    )
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
    forget_when: 'does not say its epoch',
    average: 'it has averaged weights (EMAHook), the config has none',
    add_scheduler: 'it has 1 parameter schedulers, the config has 0',
    lose_messages: '',
    break_meta: 'its `meta` is a list',
}


@pytest.mark.parametrize('change', UNRESUMABLE, ids=lambda c: c.__name__)
def test_unresumable(trained, tmp_path, monkeypatch, change):
    config, path = changed(trained, tmp_path, change)
    message = refusal(
        'train.py',
        config,
        '--resume',
        path,
        monkeypatch=monkeypatch,
        cwd=tmp_path,
    )
    assert UNRESUMABLE[change] in message


@pytest.mark.parametrize('kind', ['AdamW', 'ASGD'])
def test_another_optimizer(trained, tmp_path, monkeypatch, kind):
    refusal(
        'train.py',
        trained[0],
        '--resume',
        trained[1],
        '--cfg-options',
        f'optim_wrapper.optimizer.type={kind}',
        monkeypatch=monkeypatch,
        cwd=tmp_path,
    )


def test_resumed_as_it_was(trained, tmp_path, monkeypatch):
    main(
        'train.py',
        trained[0],
        '--resume',
        trained[1],
        monkeypatch=monkeypatch,
        cwd=tmp_path,
    )
    assert (tmp_path / 'work_dirs/tiny/epoch_2.pth').exists()
