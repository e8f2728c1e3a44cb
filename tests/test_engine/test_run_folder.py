"""A work_dir belongs to one training at a time."""

import multiprocessing
import time

import pytest

from mmdrloc.apis.work_dir import lock
from mmdrloc.utils.errors import UsageError

FORK = multiprocessing.get_context('fork')


def hold(folder, ready):
    with lock(folder):
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
    with pytest.raises(UsageError, match='in use by another training'):
        with lock(tmp_path):
            raise AssertionError
    holder.kill()
    holder.join()
    with lock(tmp_path):
        pass


def test_the_first_process_holds_it_for_all(holder, tmp_path, monkeypatch):
    monkeypatch.setenv('RANK', '1')
    with lock(tmp_path):
        pass


def test_leftovers_of_a_killed_one_go(tmp_path):
    leftover = tmp_path / '.epoch_1.pth.9.mmdrloc.tmp'
    leftover.touch()
    with lock(tmp_path / 'elsewhere'):
        assert leftover.exists()
    with lock(tmp_path):
        assert not leftover.exists()
