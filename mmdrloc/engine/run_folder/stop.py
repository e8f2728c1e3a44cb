"""Stopping a training: it ends after an iteration, with a checkpoint.

Before the first iteration signals do what they always do. After that the
first one is noted, and :class:`mmdrloc.InterruptHook` ends the training; a
second one ends the process at once.
"""

import multiprocessing
import os
import signal
import threading
import time
from contextlib import contextmanager
from typing import Any, Dict, Iterator, Optional

import torch
from mmengine.dist import all_reduce, barrier, get_world_size, is_main_process
from mmengine.hooks import CheckpointHook, Hook
from mmengine.runner import Runner
from torch.utils.data import DataLoader

from mmdrloc.checkpoints.saved import INTERRUPTED, last_checkpoint
from mmdrloc.registry import HOOKS
from mmdrloc.utils.batch_size import accumulative_counts
from mmdrloc.utils.errors import Interrupted

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1)
# Launchers and batch systems send a signal to the group and to each process:
# within this time it counts as one.
ONE_SIGNAL_S = 2.0
# Several processes ask each other every so many iterations, or after so many
# seconds: they wait for their devices then, and torchrun kills after 30 s.
TOGETHER, TOGETHER_S = 10, 5.0


class _State:
    """State of the process."""

    process = 0  # the watching one's number; forks inherit the handlers
    received = 0
    when = 0.0


def received() -> int:
    """The signal that was noted, or 0."""
    return _State.received


def note_signals() -> None:
    """Note signals from now on, where signals are watched."""
    if _State.process == os.getpid():
        for signum in SIGNALS:
            # Who ignores a signal, as nohup does, goes on ignoring it.
            if signal.getsignal(signum) not in (signal.SIG_IGN, _note):
                signal.signal(signum, _note)


@contextmanager
def watched() -> Iterator[None]:
    """Let a command note signals; restore the handlers at its end.

    Inside another such context it restores what that one had; in another
    thread it does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {signum: signal.getsignal(signum) for signum in SIGNALS}
    is_outer = _State.process != os.getpid()
    if is_outer:
        _State.process, _State.received = os.getpid(), 0
    others = multiprocessing.active_children()
    try:
        yield
    finally:
        if is_outer:
            _State.process = _State.received = 0
        _end_workers(others)
        for signum, handler in before.items():
            signal.signal(signum, handler)


class UndisturbedLoader(DataLoader):
    """A loader whose workers get no signals.

    A terminal's Ctrl-C and a batch system's signals go to workers too, whose
    end would be an error in the middle of an iteration. :func:`watched` ends
    them.
    """

    def __iter__(self) -> Iterator:
        """Start the workers, which inherit what is blocked."""
        if _State.process != os.getpid():  # nobody would end them
            return super().__iter__()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            return super().__iter__()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@HOOKS.register_module()
class InterruptHook(Hook):
    """Saves and ends the training after an iteration in which a signal came.

    The checkpoint is ``interrupted_iter_<n>.pth``, beside the others; none is
    written after a regular one of the same iteration. A training may also end
    within a validation before which it was saved. Several processes end
    together, between two updates, a few iterations later.
    """

    # After hooks that change the state, and after those that record it.
    priority = 'LOWEST'
    _saved: Optional[int] = None
    # When several processes asked each other last, and when they do next.
    _asked = (0, 0.0)
    _next = 0

    def before_save_checkpoint(
        self, runner: Runner, checkpoint: Dict[str, Any]
    ) -> None:
        """Note a checkpoint that can be resumed; the best ones cannot."""
        if 'optimizer' in checkpoint:
            self._saved = checkpoint['meta']['iter']

    def before_train(self, runner: Runner) -> None:
        """Take the time from here."""
        self._asked = runner.iter, time.monotonic()

    def before_train_iter(self, runner: Runner, **_: Any) -> None:
        """Let signals wait for the end of the iteration from now on."""
        note_signals()

    def after_train_iter(self, runner: Runner, **_: Any) -> None:
        """End here; several processes at the end of an update."""
        done, signum = runner.iter + 1, received()
        if get_world_size() > 1:
            counts = accumulative_counts(runner)
            if done < self._next or done % counts:
                return
            (before, when), now = self._asked, time.monotonic()
            slowest = torch.tensor([signum, (now - when) / (done - before)])
            all_reduce(slowest, 'max')  # the same in all of them
            signum, pace = int(slowest[0]), max(float(slowest[1]), 1e-6)
            self._asked = done, now
            self._next = done + int(min(TOGETHER, max(1, TOGETHER_S / pace)))
        if signum:
            self._end(runner, signum, done)

    def after_val_iter(self, runner: Runner, **_: Any) -> None:
        """End within a validation, if nothing needs to be saved."""
        # Nothing can be saved here: EMAHook has swapped the weights.
        is_saved = self._saved == runner.iter and get_world_size() == 1
        if received() and is_saved:
            self._end(runner, received(), runner.iter)

    def _end(self, runner: Runner, signum: int, iteration: int) -> None:
        saved = torch.tensor(int(self._saved == iteration))
        all_reduce(saved, 'max')  # only the first process knows
        if not saved:
            name = INTERRUPTED.format(iteration)
            meta = dict(epoch=runner.epoch, iter=iteration)
            hooks = [h for h in runner.hooks if isinstance(h, CheckpointHook)]
            place = hooks[0].out_dir if hooks else runner.work_dir
            runner.save_checkpoint(place, name, meta=meta, by_epoch=False)
        barrier()  # while the first one writes
        sentence = (
            f'ended by {signal.Signals(signum).name} after iteration '
            f'{iteration}, saved in {last_checkpoint(runner.work_dir)}: run '
            'the same command to resume, without --overwrite.'
        )
        raise Interrupted(signum, sentence if is_main_process() else '')


def _note(signum: int, frame: Any) -> None:
    is_again = time.monotonic() - _State.when > ONE_SIGNAL_S
    if os.getpid() != _State.process:  # a fork, such as of a process pool
        _obey(signum)
    elif not _State.received:
        _State.received, _State.when = signum, time.monotonic()
        _say('saving after this iteration; Ctrl-C again quits now.')
    elif is_again:
        _say('ended now; the last checkpoint is intact.')
        _obey(signum)


def _obey(signum: int) -> None:
    signal.signal(signum, signal.SIG_DFL)
    os.kill(os.getpid(), signum)


def _say(text: str) -> None:
    """Print from a handler, which may have interrupted a print."""
    if is_main_process():
        os.write(2, f'\n{text}\n'.encode())


def _end_workers(others: list) -> None:
    """End workers that block signals, or Python would wait for them."""
    children = {*multiprocessing.active_children()} - {*others}
    if children:
        # PyTorch's handler raises for workers that are killed.
        handler = signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for child in children:
            child.kill()
            child.join()
        # None is one that Python has not set.
        signal.signal(signal.SIGCHLD, handler or signal.SIG_DFL)
