"""Signals during a training: end after the iteration, with a checkpoint.

A signal before the first iteration ends the process at once. After that it is
noted, and :class:`mmdrloc.InterruptHook` ends the training; a second one ends
the process at once.
"""

import multiprocessing
import os
import signal
import threading
import time
from contextlib import contextmanager
from functools import partial
from typing import Any, Callable, Dict, Iterator, Optional

from mmdrloc.utils.distributed import process_count, process_rank
from mmdrloc.utils.errors import Interrupted

SIGNALS = [
    getattr(signal, name)
    for name in ('SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1')
    if hasattr(signal, name)  # not all systems have all of them
]
# Launchers and batch systems send the same signal to the group and to each
# process: what follows so soon is no second wish.
ONE_SIGNAL_S = 2.0


class _State:
    """Of this process, which signals concern as a whole."""

    process = 0  # that watches; workers inherit the handlers
    received = 0
    when = 0.0
    is_training = False


def received() -> int:
    """The signal that was noted during the training, or 0."""
    return _State.received


def training_begins() -> None:
    """From now on a signal is noted, and ends nothing."""
    if _State.process == os.getpid() and not _State.is_training:
        _State.is_training = True
        # Processes that wait for each other as they start, in C, hear
        # nothing: until now they were ended without a word.
        for signum in SIGNALS:
            if signal.getsignal(signum) == signal.SIG_DFL:
                signal.signal(signum, _note)


@contextmanager
def watched(for_good: bool = False) -> Iterator[None]:
    """Handle signals as this module says; give the handlers back at the end.

    Does nothing within itself, and outside of the main thread.

    Args:
        for_good (bool): Whether a signal ends the process, which then
            ignores what a launcher still sends. Defaults to False.

    Raises:
        Interrupted: By a signal before the first iteration.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if _State.process == os.getpid() or not is_main:
        yield
        return
    before: Dict[int, Any] = {
        # Who ignores a signal, as nohup does, goes on ignoring it.
        signum: signal.getsignal(signum)
        for signum in SIGNALS
        if signal.getsignal(signum) != signal.SIG_IGN
    }
    for signum in before:
        alone = process_count() == 1
        signal.signal(signum, _note if alone else signal.SIG_DFL)
    _State.process, _State.received = os.getpid(), 0
    _State.is_training = False
    others = multiprocessing.active_children()
    try:
        yield
    except Interrupted:
        if for_good:
            before = dict.fromkeys(before, signal.SIG_IGN)
        raise
    finally:
        _State.process = _State.received = 0
        _end_workers(others)
        for signum, handler in before.items():
            signal.signal(signum, handler)


def sentence(signum: int, text: str) -> str:
    """What the first process says at its end; the others say nothing."""
    name = signal.Signals(signum).name
    return f'ended by {name}{text}' if process_rank() == 0 else ''


def shield(
    init: Optional[Callable[[int], None]],
) -> Optional[Callable[[int], None]]:
    """Let a loader's workers ignore signals, where these are watched.

    A terminal's Ctrl-C and a batch system's signals go to workers too, whose
    end would be an error in the middle of an iteration. :func:`watched` ends
    them.
    """
    if _State.process != os.getpid():
        return init
    return partial(_begin_worker, init)


def _begin_worker(init: Optional[Callable[[int], None]], worker: int) -> None:
    for signum in SIGNALS:
        signal.signal(signum, signal.SIG_IGN)
    if init is not None:
        init(worker)


def _note(signum: int, frame: Any) -> None:
    if os.getpid() != _State.process:  # a worker, forked a moment ago
        return
    if not _State.is_training:
        raise Interrupted(
            signum, sentence(signum, '; what was complete before is intact.')
        )
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
    """End workers that ignore signals, or Python would wait for them."""
    children = [
        c for c in multiprocessing.active_children() if c not in others
    ]
    if children and hasattr(signal, 'SIGCHLD'):
        # PyTorch's handler raises for workers that are killed.
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for child in children:
        child.kill()
        child.join()
