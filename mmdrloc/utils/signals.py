"""Signals during a training: it ends after the iteration, with a checkpoint.

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
from typing import Any, Iterator

from mmdrloc.utils.distributed import process_rank

SIGNALS = [
    getattr(signal, name)
    for name in ('SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1')
    if hasattr(signal, name)  # not all systems have all of them
]
# Launchers and batch systems send a signal to the group and to each process:
# within this time it counts as one.
ONE_SIGNAL_S = 2.0


class _State:
    """State of the process."""

    process = 0  # the watching one's number; workers inherit the handlers
    received = 0
    when = 0.0


def received() -> int:
    """The signal that was noted during the training, or 0."""
    return _State.received


def training_begins() -> None:
    """Note signals from now on, where signals are watched."""
    if _State.process == os.getpid():
        for signum in SIGNALS:
            # Who ignores a signal, as nohup does, goes on ignoring it.
            if signal.getsignal(signum) not in (signal.SIG_IGN, _note):
                signal.signal(signum, _note)


@contextmanager
def watched() -> Iterator[None]:
    """Let a training note signals; restore the handlers at its end.

    It does nothing inside another such context or another thread.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if _State.process == os.getpid() or not is_main:
        yield
        return
    before = {signum: signal.getsignal(signum) for signum in SIGNALS}
    _State.process, _State.received = os.getpid(), 0
    others = multiprocessing.active_children()
    try:
        yield
    finally:
        _State.process = _State.received = 0
        _end_workers(others)
        for signum, handler in before.items():
            signal.signal(signum, handler)


def _block_in_worker() -> None:
    """Keep signals from a loader's worker, forked where they are watched.

    A terminal's Ctrl-C and a batch system's signals go to workers too, whose
    end would be an error in the middle of an iteration. :func:`watched` ends
    them.
    """
    if _State.process == os.getppid():
        signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)


if hasattr(os, 'register_at_fork'):
    # As soon as it exists: a worker_init_fn comes after PyTorch's handlers.
    os.register_at_fork(after_in_child=_block_in_worker)


def _note(signum: int, frame: Any) -> None:
    if os.getpid() != _State.process:  # a worker, forked a moment ago
        return
    if not _State.received:
        _State.received, _State.when = signum, time.monotonic()
        _say(
            'saving a checkpoint after this iteration; Ctrl-C again quits now.'
        )
    elif time.monotonic() - _State.when > ONE_SIGNAL_S:
        _say('ended now; the last checkpoint is intact.')
        signal.signal(signum, signal.SIG_DFL)
        os.kill(os.getpid(), signum)


def _say(text: str) -> None:
    """Print from a handler, which may have interrupted a print."""
    if process_rank() == 0:
        os.write(2, f'\n{text}\n'.encode())


def _end_workers(others: list) -> None:
    """End workers that block signals, or Python would wait for them."""
    children = [
        c for c in multiprocessing.active_children() if c not in others
    ]
    if children:
        # PyTorch's handler raises for workers that are killed.
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for child in children:
        child.kill()
        child.join()
