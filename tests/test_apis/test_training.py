"""The same command goes on; another run is refused; a check leaves no trace.

In this process, which has imported the libraries already.
"""

import json
import signal
from pathlib import Path

import pytest
from mmengine.config import Config
from tiny_run import write_config

from mmdrloc import apis
from mmdrloc.utils.errors import UsageError

WORK = Path('work_dirs/tiny')


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


def test_a_finished_run_stays_and_a_longer_one_goes_on(config, capsys):
    apis.train(config)
    before = files()
    assert apis.train(config).metrics
    assert files() == before
    assert 'mmdrloc test' in capsys.readouterr().out
    apis.train(config, options={'train_cfg.max_epochs': 3})
    assert epochs() == [1, 2, 3]
    for checkpoint in WORK.glob('epoch_*.pth'):
        checkpoint.unlink()
    capsys.readouterr()
    apis.train(config, options={'train_cfg.max_epochs': 3})
    assert '--overwrite trains it again' in capsys.readouterr().out


def test_a_run_in_the_home_folder_is_resumed(config, monkeypatch):
    monkeypatch.setenv('HOME', str(Path.cwd()))
    apis.train(config, options={'train_cfg.max_epochs': 1}, work_dir='~/mine')
    apis.train(config, resume='~/mine')
    assert Path('mine/epoch_2.pth').exists() and not WORK.exists()


def test_another_run_in_the_home_folder_is_refused(config, monkeypatch):
    monkeypatch.setenv('HOME', str(Path.cwd()))
    one = {'train_cfg.max_epochs': 1}
    apis.train(config, options=one, work_dir='~/mine')
    last = '~/mine/epoch_1.pth'
    with pytest.raises(UsageError, match='other settings'):
        apis.train(config, seed=9, resume=last, work_dir='other')
    run = apis.train(config, options=one, weights=last, work_dir='other')
    assert run.result['run']['weights']['file'] == f'{Path.cwd()}{last[1:]}'


def test_the_config_of_a_run_has_the_weights_of_the_run(config):
    """Those of the recipe, which others replaced, do not come back."""
    one = {'train_cfg.max_epochs': 1}
    apis.train(config, options=one)
    Path('theirs.pth').symlink_to(WORK / 'epoch_1.pth')
    with open(config, 'a') as file:
        file.write("load_from = 'theirs.pth'\n")
    for weights, kept in ((str(WORK), None), (None, 'theirs.pth')):
        place = f'from_{kept}'
        apis.train(config, options=one, weights=weights, work_dir=place)
        assert Config.fromfile(f'{place}/tiny.py').load_from == kept


def test_a_training_with_workers_leaves_handlers_as_they_were(config):
    workers = {'train_dataloader.num_workers': 1}
    apis.train(config, options=workers)  # PyTorch sets its own once
    before = signal.getsignal(signal.SIGCHLD)
    assert before not in (signal.SIG_DFL, None)
    apis.train(config, options=workers, work_dir='again')
    assert signal.getsignal(signal.SIGCHLD) is before


def test_a_folder_that_others_filled(config):
    apis.train(config, options={'train_cfg.max_epochs': 1})
    for name in ('run_record.json', 'result.json'):  # as MMEngine leaves it
        (WORK / name).unlink()
    before = files()
    with pytest.raises(UsageError, match='other settings'):
        apis.train(config)
    Path('file').touch()
    with pytest.raises(UsageError, match='Not a directory'):
        apis.train(config, work_dir='file/run')
    assert before.keys() <= files().keys()
    apis.train(config, resume='auto')
    assert epochs() == [1, 2]
