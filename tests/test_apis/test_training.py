"""The same command goes on; another run is refused; a check leaves no trace.

In this process, which has imported the libraries already.
"""

import json
from pathlib import Path

import pytest
from tiny_run import write_config

from mmdrloc import apis
from mmdrloc.datasets.recipes import read_config
from mmdrloc.utils.errors import UsageError

WORK = Path('work_dirs/tiny')
RATE = 'optim_wrapper.optimizer.lr'


@pytest.fixture
def config(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return write_config(tmp_path).name


def files():
    return {path: path.stat().st_mtime_ns for path in Path('.').rglob('*')}


def epochs():
    result = json.loads((WORK / 'result.json').read_text())
    assert result['finished']
    return [entry['epoch'] for entry in result['validations']]


def as_if_killed():
    """In the second epoch."""
    result = json.loads((WORK / 'result.json').read_text())
    result.update(finished=False, validations=result['validations'][:1])
    (WORK / 'result.json').write_text(json.dumps(result))
    (WORK / 'epoch_2.pth').unlink()


def test_the_same_call_goes_on(config, capsys):
    apis.train(config)
    before = files()
    assert apis.train(config).metrics
    assert f'mmdrloc test {WORK}' in capsys.readouterr().out
    assert files() == before
    for other, words in (
        (dict(options={RATE: 0.2}), f'{RATE} 0.1, not 0.2'),
        (dict(seed=3), 'seed 0, not 3'),
        (dict(options={'train_cfg.max_epochs': 1}), 'epochs 2, not 1'),
    ):
        with pytest.raises(UsageError, match=f'another run .*{words}'):
            apis.train(config, **other)
    assert {p for p in files() if p.suffix != '.lock'} == set(before)

    as_if_killed()
    apis.train(config)
    assert 'from iteration 3' in capsys.readouterr().out
    assert epochs() == [1, 2]
    apis.train(config, options={'train_cfg.max_epochs': 3})
    assert epochs() == [1, 2, 3]


def test_the_schedule_follows_the_length(config):
    with open(config, 'a') as file:
        file.write("param_scheduler = dict(type='CosineAnnealingLR', T_max=2)")
    run = apis.train(config, epochs=1)
    cfg = read_config(run.config_file)
    assert cfg.param_scheduler.T_max == 1 and epochs() == [1]
    assert '-again' in run.result['command']
    for wrong in (dict(iters=2), dict(epochs=1, iters=2)):
        with pytest.raises(UsageError, match='--epochs'):
            apis.train(config, work_dir='none', **wrong)


def test_before_the_first_checkpoint_it_begins_anew(config):
    apis.train(config, options={'train_cfg.max_epochs': 1})
    result = json.loads((WORK / 'result.json').read_text())
    result.update(finished=False, validations=[])
    (WORK / 'result.json').write_text(json.dumps(result))
    (WORK / 'epoch_1.pth').unlink()
    with pytest.raises(UsageError, match='nothing to resume'):
        apis.train(config, resume='auto')
    apis.train(config, options={'train_cfg.max_epochs': 1})
    assert epochs() == [1]


def test_starting_anew_costs_nothing_until_it_can(config):
    once = {'train_cfg.max_epochs': 1}
    apis.train(config, options=once)
    weights = (WORK / 'epoch_1.pth').read_bytes()
    wrong = {**once, 'model.head.num_classes': 7}
    with pytest.raises(UsageError, match='num_classes'):
        apis.train(config, options=wrong, overwrite=True)
    assert (WORK / 'epoch_1.pth').read_bytes() == weights
    apis.train(config, options=once, seed=1, overwrite=True)
    assert (WORK / 'epoch_1.pth').read_bytes() != weights
    assert len(list(WORK.glob('*/vis_data/scalars.json'))) == 1


def test_a_checkpoint_of_ones_choice(config):
    apis.train(config)
    (WORK / 'result.json').rename(WORK / 'kept.json')
    longer = {'train_cfg.max_epochs': 3}
    run = apis.train(
        config, work_dir='b', resume=WORK / 'epoch_1.pth', options=longer
    )
    assert run.result['finished'] and not Path('b/epoch_1.pth').exists()
    assert Path('b/epoch_3.pth').exists()
    for wrong in ('none.pth', 'data'):
        with pytest.raises(UsageError, match='no checkpoint'):
            apis.train(config, work_dir='c', resume=wrong)


def test_a_launcher_that_starts_a_training_again(config, monkeypatch):
    """With the words that it was begun with, --overwrite among them."""
    apis.train(config)
    as_if_killed()
    monkeypatch.setenv('TORCHELASTIC_RESTART_COUNT', '1')
    first = (WORK / 'epoch_1.pth').stat().st_mtime_ns
    apis.train(config, overwrite=True)
    assert epochs() == [1, 2]
    assert (WORK / 'epoch_1.pth').stat().st_mtime_ns == first


def test_a_folder_that_others_filled(config):
    apis.train(config, options={'train_cfg.max_epochs': 1})
    for name in ('run_record.json', 'result.json'):  # as MMEngine leaves it
        (WORK / name).unlink()
    before = files()
    with pytest.raises(UsageError, match='another run'):
        apis.train(config)
    Path('file').touch()
    with pytest.raises(UsageError, match='Not a directory'):
        apis.train(config, work_dir='file/run')
    assert before.keys() <= files().keys()
    apis.train(config, resume='auto')
    assert epochs() == [1, 2]
