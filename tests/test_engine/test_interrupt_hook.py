"""A training that is told to end, alone and on two processes."""

import multiprocessing
import os
import signal
import time
from contextlib import suppress

import pytest
import torch
from mmengine.hooks import Hook
from toy_run import FORK, join_group, toy_runner

from mmdrloc.checkpoints.saved import last_checkpoint
from mmdrloc.engine.run_folder.stop import watched
from mmdrloc.utils.errors import Interrupted, usage_errors_in_one_sentence
from mmdrloc.utils.files import atomic_path


class Pace(Hook):
    """Takes its time, and tells where it is."""

    pause_s = 0.3

    def __init__(self, phase='train', epoch=0):
        self.phase, self.epoch = phase, epoch

    def _tell(self, runner, phase):
        if phase == self.phase and runner.epoch >= self.epoch:
            path = os.path.join(runner.work_dir, 'here')
            with atomic_path(path) as temporary:
                temporary.write_text(str(runner.iter))
            time.sleep(self.pause_s)

    def after_train_iter(self, runner, *args, **kwargs):
        self._tell(runner, 'train')

    def after_val_iter(self, runner, *args, **kwargs):
        self._tell(runner, 'val')


def train(work_dir, rank, ranks, pace, options):
    # A group of its own, as a terminal or a batch system gives it.
    os.setpgid(0, 0)
    # Ignored by what a shell starts in the background, and by its children.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if ranks > 1:
        join_group(work_dir, rank, ranks)
    with usage_errors_in_one_sentence(), watched():
        toy_runner(work_dir, hooks=[Pace(*pace)], **options).train()


def begin(work_dir, *pace, ranks=1, **options):
    """Train in processes, until the pace says that it is there."""
    (work_dir / 'here').unlink(missing_ok=True)
    options = dict(dict(epochs=500), **options)
    processes = [
        FORK.Process(
            target=train,
            args=(work_dir, rank, ranks, pace, options),
        )
        for rank in range(ranks)
    ]
    for process in processes:
        process.start()
    end = time.monotonic() + 60
    while not (work_dir / 'here').exists():
        assert time.monotonic() < end and processes[0].is_alive()
        time.sleep(0.02)
    return processes


def meta(path):
    return torch.load(path, weights_only=False)['meta']


def test_a_signal_to_workers_that_begin(tmp_path, monkeypatch):
    begun = tmp_path / 'worker'

    def slowly(*args):
        if multiprocessing.current_process().daemon:
            begun.touch()
            time.sleep(2)
        set_num_threads(*args)

    set_num_threads = torch.set_num_threads
    # Called by a worker between PyTorch's handlers and worker_init_fn.
    monkeypatch.setattr(torch, 'set_num_threads', slowly)
    monkeypatch.setattr(Pace, 'pause_s', 0.0)
    (process,) = begin(tmp_path, 'val', workers=2, interval=1000)
    begun.unlink()  # by those of the first epoch
    while not begun.exists():
        assert process.is_alive()
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGTERM)
    process.join(120)
    assert process.exitcode == 128 + signal.SIGTERM
    assert last_checkpoint(tmp_path)


def test_a_regular_checkpoint_is_enough(tmp_path, capfd):
    (process,) = begin(tmp_path, 'val')
    process_id = process.pid
    os.kill(process_id, signal.SIGTERM)
    process.join(120)
    assert process.exitcode == 143
    assert last_checkpoint(tmp_path).name == 'epoch_1.pth'
    assert not list(tmp_path.glob('interrupted*'))
    assert 'after iteration 2, saved in' in capfd.readouterr().err


class Send(Hook):
    """Sends a signal in each step."""

    def __init__(self, signum):
        self.signum = signum

    def after_train_iter(self, runner, *args, **kwargs):
        os.kill(os.getpid(), self.signum)


def test_its_checkpoint_goes_once_there_is_a_later_one(tmp_path):
    with watched(), pytest.raises(Interrupted):
        toy_runner(tmp_path, hooks=[Send(signal.SIGINT)]).train()
    left = last_checkpoint(tmp_path)
    assert left.name == 'interrupted_iter_1.pth'
    toy_runner(tmp_path, epochs=1, resume=left).train()
    assert [*tmp_path.glob('*.pth')] == [tmp_path / 'epoch_1.pth']


def test_an_ignored_signal_stays_ignored(tmp_path):
    """As under nohup, when the terminal is closed."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with watched(), suppress(Interrupted):
            hang_up = Send(signal.SIGHUP)
            toy_runner(tmp_path, hooks=[hang_up], epochs=1).train()
    finally:
        signal.signal(signal.SIGHUP, before)
    assert [*tmp_path.glob('*.pth')] == [tmp_path / 'epoch_1.pth']


def test_a_second_signal_ends_it_at_once(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr('mmdrloc.engine.run_folder.stop.ONE_SIGNAL_S', 0.0)
    monkeypatch.setattr(Pace, 'pause_s', 5.0)
    (process,) = begin(tmp_path)
    os.kill(process.pid, signal.SIGTERM)
    while 'again quits now' not in capfd.readouterr().err:
        assert process.is_alive()
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGTERM)
    process.join(120)
    assert process.exitcode == -signal.SIGTERM


def test_accumulated_gradients_are_not_lost(tmp_path):
    (process,) = begin(tmp_path, accumulate=4, interval=1000)
    os.kill(process.pid, signal.SIGTERM)
    process.join(120)
    checkpoint = torch.load(last_checkpoint(tmp_path), weights_only=False)
    assert checkpoint['meta']['iter'] < 4 and checkpoint['gradients']


def test_slow_processes_ask_each_other_sooner(tmp_path, monkeypatch):
    """Before the launcher, which waits for half a minute, kills them."""
    monkeypatch.setattr('mmdrloc.engine.run_folder.stop.TOGETHER_S', 0.5)
    processes = begin(tmp_path, ranks=2, interval=1000)  # 0.3 s a step
    os.kill(processes[0].pid, signal.SIGTERM)
    for process in processes:
        process.join(120)
    assert meta(last_checkpoint(tmp_path))['iter'] <= 5


@pytest.mark.parametrize('told, accumulate', [(0, 1), (1, 16)])
def test_two_processes_end_together(tmp_path, told, accumulate, capfd):
    options = dict(ranks=2, interval=1000, accumulate=accumulate)
    processes = begin(tmp_path, 'train', 1, **options)
    os.kill(processes[told].pid, signal.SIGTERM)
    for process in processes:
        process.join(120)
        assert process.exitcode == 143
    path = last_checkpoint(tmp_path)
    assert path.name.startswith('interrupted')
    assert meta(path)['iter'] <= max(20, accumulate)
    assert meta(path)['iter'] % accumulate == 0
    assert capfd.readouterr().err.count('the same command') == 1


def test_two_processes_after_a_regular_checkpoint(tmp_path, capfd):
    """The first one alone has written it."""
    every = dict(interval=1, by_epoch=False)
    processes = begin(tmp_path, 'train', 1, ranks=2, **every)
    os.kill(processes[0].pid, signal.SIGTERM)
    for process in processes:
        process.join(60)
        is_over = process.exitcode is not None
        process.kill()
        assert is_over and process.exitcode == 143
    assert last_checkpoint(tmp_path).name.startswith('iter_')
    assert capfd.readouterr().err.count('the same command') == 1
