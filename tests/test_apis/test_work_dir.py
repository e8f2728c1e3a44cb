"""A work folder belongs to one training."""

import errno
import json
import multiprocessing
import os
import re

import pytest
import torch
from mmengine.config import Config

from mmdrloc.apis import work_dir as work_folder
from mmdrloc.apis.work_dir import (
    claimed,
    is_finished,
    left_by_run,
    refuse_begun,
    remove_run,
    way_to_go_on,
)
from mmdrloc.reporting import results as records
from mmdrloc.utils.errors import UsageError

FORK = multiprocessing.get_context('fork')


def hold(folder, ready, end):
    with claimed(folder):
        ready.set()
        end.wait(60)


@pytest.fixture
def holder(tmp_path):
    """Another process that trains in the folder."""
    ready, end = FORK.Event(), FORK.Event()
    process = FORK.Process(target=hold, args=(tmp_path, ready, end))
    process.start()
    assert ready.wait(60)
    yield process
    process.kill()
    process.join()


def test_a_second_training_is_refused(holder, tmp_path):
    said = rf'process {holder.pid} on .+ since \d{{4}}-'
    with pytest.raises(UsageError, match=f'in use by another .*{said}'):
        with claimed(tmp_path):
            raise AssertionError
    holder.kill()
    holder.join()
    with claimed(tmp_path):
        pass


def test_the_first_process_holds_it_for_all(holder, tmp_path, monkeypatch):
    monkeypatch.setenv('RANK', '1')
    with claimed(tmp_path):
        pass


def test_leftovers_of_a_killed_one_go(tmp_path):
    leftover = tmp_path / '.epoch_1.pth.999999999.tmp'
    leftover.touch()
    with claimed(tmp_path / 'elsewhere'):
        assert leftover.exists()
    with claimed(tmp_path):
        assert not leftover.exists()


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / 'file').touch()
    with pytest.raises(UsageError, match='the work folder cannot be written'):
        with claimed(tmp_path / 'file' / 'run'):
            raise AssertionError


def test_file_systems_without_locks(tmp_path, monkeypatch, capsys):
    def refuse(*args):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(work_folder.fcntl, 'lockf', refuse)
    with claimed(tmp_path):
        assert 'a file system without locks' in capsys.readouterr().out


RUN = ['last_checkpoint', 'result.json', 'best_top1_epoch_1.pth']


@pytest.fixture
def run(tmp_path):
    """What a run left, and what is the user's."""
    folder = tmp_path / 'run'
    curves = folder / '20260101_000000/vis_data'
    curves.mkdir(parents=True)
    for name in (*RUN, 'backbone.pth', 'notes.txt', 'tiny.py'):
        (folder / name).touch()
    torch.save({}, folder / 'epoch_2.pth')
    (tmp_path / 'mine').touch()
    (folder / 'epoch_1.pth').symlink_to(tmp_path / 'mine')
    (curves / 'scalars.json').touch()
    return folder


def test_a_begun_run_is_not_replaced(run, tmp_path):
    with pytest.raises(UsageError, match=re.escape(str(run))) as caught:
        refuse_begun(run, None)
    for word in ('last_checkpoint', '--resume', '--overwrite', '--work-dir'):
        assert word in str(caught.value)
    refuse_begun(run, 'auto')
    refuse_begun(run, str(run))
    refuse_begun(run, str(run / 'epoch_2.pth'))
    with pytest.raises(UsageError, match='holds a run'):
        refuse_begun(run, str(tmp_path / 'other' / 'epoch_2.pth'))
    refuse_begun(tmp_path, None)


def test_a_run_of_something_else_is_named(run):
    there = dict(recipe='scratch_300e/swin-tiny', dataset='svhn')
    (run / 'result.json').write_text(json.dumps(dict(run=there)))
    with pytest.raises(UsageError, match='begun or finished'):
        refuse_begun(run, None, there)
    here = dict(there, recipe='scratch_100e/swin-tiny')
    with pytest.raises(UsageError, match='another run .recipe scratch_300e'):
        refuse_begun(run, None, here)
    with pytest.raises(UsageError, match='.dataset svhn.: give another --w'):
        refuse_begun(run, None, dict(there, dataset='cifar10'))
    refuse_begun(run, 'auto', here)


def test_nothing_else_is_removed(run, tmp_path):
    remove_run(run)
    assert left_by_run(run) == []
    assert sorted(p.name for p in run.iterdir()) == [
        '20260101_000000',
        'backbone.pth',
        'notes.txt',
        'tiny.py',
    ]
    assert not list(run.glob('*/*/scalars.json'))
    assert (tmp_path / 'mine').exists()


def test_the_way_to_go_on(run, tmp_path):
    assert way_to_go_on(tmp_path) == []
    assert way_to_go_on(run) == ['--resume']
    (run / 'epoch_2.pth').unlink()
    assert way_to_go_on(run) == ['--overwrite']


@pytest.mark.parametrize(
    'result,finished',
    [
        (dict(finished=True, length=dict(epochs=3)), True),
        (dict(finished=True, length=dict(epochs=2)), False),
        (dict(finished=False, length=dict(epochs=3)), False),
        (dict(finished=True), False),
        ([1], False),
        (None, False),
    ],
)
def test_finished_runs(tmp_path, result, finished):
    if result is not None:
        (tmp_path / 'result.json').write_text(json.dumps(result))
    cfg = Config(dict(work_dir=str(tmp_path), train_cfg=dict(max_epochs=3)))
    assert is_finished(cfg) == finished


def test_what_a_launch_has_begun(tmp_path, monkeypatch):
    result = tmp_path / records.RECORD
    result.touch()
    assert not work_folder.begun_by_launch(tmp_path)  # no launcher
    written = result.stat().st_mtime
    for launched, is_ours in ((written + 1, False), (written - 1, True)):
        monkeypatch.setenv(work_folder.LAUNCHED, str(launched))
        assert work_folder.begun_by_launch(tmp_path) is is_ours
    result.unlink()
    assert not work_folder.begun_by_launch(tmp_path)
