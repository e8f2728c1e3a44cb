"""A work_dir belongs to one training at a time."""

import json
import multiprocessing
import time

import pytest

from mmdrloc.engine.run_folder.folder import Previous, RunFolder
from mmdrloc.utils.errors import UsageError

FORK = multiprocessing.get_context('fork')


def hold(folder, ready):
    with RunFolder(folder).lock():
        # A data loader's worker, which outlives its parent.
        FORK.Process(target=time.sleep, args=(20,)).start()
        ready.set()
        time.sleep(60)


@pytest.fixture
def holder(tmp_path):
    """Another process that trains in the folder."""
    ready = FORK.Event()
    process = FORK.Process(target=hold, args=(tmp_path, ready))
    process.start()
    assert ready.wait(60)
    yield process
    process.kill()
    process.join()


def test_a_second_training_is_refused(holder, tmp_path):
    for _ in range(2):  # the refusal removes no lock that somebody holds
        with pytest.raises(UsageError, match='in use by another training'):
            with RunFolder(tmp_path).lock():
                raise AssertionError
    holder.kill()
    holder.join()
    with RunFolder(tmp_path).lock():
        pass


def test_the_first_process_holds_it_for_all(holder, tmp_path, monkeypatch):
    monkeypatch.setenv('RANK', '1')
    with RunFolder(tmp_path, 'pytorch').lock():
        pass
    with pytest.raises(UsageError):  # a variable of something else
        with RunFolder(tmp_path).lock():
            raise AssertionError


def test_what_was_made_for_nothing_goes(tmp_path):
    """And what a killed training has left incomplete."""
    leftover = tmp_path / '.epoch_1.pth.9.mmdrloc.tmp'
    leftover.touch()
    with RunFolder(tmp_path).lock():
        assert not leftover.exists()
    place = tmp_path / 'made/by/us'
    with pytest.raises(KeyError), RunFolder(place).lock():
        (place / '20260101_000000').mkdir()
        raise KeyError
    assert not (tmp_path / 'made').exists()
    place.parent.mkdir(parents=True)
    with RunFolder(place).lock():
        (place / 'notes.txt').touch()  # somebody's
    assert [p.name for p in place.iterdir()] == ['notes.txt']


def test_a_longer_run_is_not_finished_once_it_has_begun(tmp_path):
    """Killed before its first update, it goes on all the same."""
    result = tmp_path / 'result.json'
    updates = dict(done=6, planned=6)
    result.write_text(json.dumps(dict(finished=True, run={}, updates=updates)))
    folder = RunFolder(tmp_path)
    own = Previous(tmp_path / 'epoch_2.pth', is_own=True)
    for epochs in (2, 2, 5, 5):
        folder.begin({'train_cfg.max_epochs': epochs}, own)
    # It has not followed the schedule of its length, and says so once.
    assert json.loads(result.read_text()) == dict(
        finished=False,
        run=dict(how=['extended from 6 updates']),
        updates=updates,
    )
    assert folder.record['train_cfg.max_epochs'] == 5
