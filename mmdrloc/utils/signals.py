"""What happens to a training that is told to end.

A signal that comes before the first step ends it at once. After that it is
only noted: :class:`mmdrloc.InterruptHook` ends the training after the step,
with a checkpoint.
"""

import multiprocessing
import os
import signal
import sys
import threading
import time
from contextlib import contextmanager
from copy import copy
from multiprocessing.process import BaseProcess
from typing import (
    TYPE_CHECKING,
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Optional,
)

from mmdrloc.utils.distributed import (
    another_is_gone,
    process_count,
    process_rank,
)
from mmdrloc.utils.errors import Interrupted

if TYPE_CHECKING:
    from torch.utils.data import DataLoader

# Not all systems have all of them.
SIGNALS = [
    getattr(signal, name)
    for name in ('SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1')
    if hasattr(signal, name)
]
# Launchers and batch systems send the same signal to the group and to each
# process: what follows so soon is no second wish.
ONE_SIGNAL_S = 2.0
# Says that the standard input is held open by a program that this training
# must not outlive.
END_WITH_STDIN = 'MMDRLOC_END_WITH_STDIN'


class SignalWatch:
    """Notes signals while a training watches for them."""

    def __init__(self) -> None:
        self.active = False
        self._reset()

    def _reset(self) -> None:
        self.received = 0
        self._when = 0.0
        self._steps = self._over = False
        self._before: Dict[int, Any] = {}

    def step_begins(self) -> None:
        """From now on signals wait for the end of the step."""
        if self.active and not self._steps:
            self._steps = True
            for signum in self._before:
                signal.signal(signum, self._handle)

    def over(self) -> None:
        """From now on signals no longer matter: all is saved."""
        self._over = True

    @contextmanager
    def watching(self, for_good: bool = False) -> Iterator[None]:
        """Handle signals as this module says, and clean up afterwards.

        Within itself it does nothing, and outside of the main thread, where
        Python lets nobody handle signals.

        Args:
            for_good (bool): Whether a signal ends the process, which then
                hears of no other. Defaults to False.

        Raises:
            Interrupted: By a signal.
        """
        is_main = threading.current_thread() is threading.main_thread()
        if self.active or not is_main:
            yield
            return
        self._reset()
        others = multiprocessing.active_children()
        self._process = os.getpid()
        # A process that waits for others, in C, would not hear of a signal.
        alone = process_count() == 1
        self._before = {
            # Who ignores one, as nohup does, goes on ignoring it.
            signum: signal.signal(
                signum, self._handle if alone else signal.SIG_DFL
            )
            for signum in SIGNALS
            if signal.getsignal(signum) != signal.SIG_IGN
        }
        self.active = True
        _end_with_parent()
        try:
            yield
        except KeyboardInterrupt:
            if for_good:
                # What still comes, from a launcher, must not cut it short.
                self._over, self._before = True, {}
            raise
        except Exception as error:
            if not self.received:
                if another_is_gone(error):
                    _end_without_the_other(error)
                raise
            # Such as a worker that the same signal ended.
            raise Interrupted(
                self.received,
                sentence(
                    f'{ended_by(self.received)} within a step: the last '
                    'checkpoint is intact, and --resume goes on from it.'
                ),
            ) from error
        finally:
            self.active = False
            _kill_children(others)
            for signum, handler in self._before.items():
                signal.signal(signum, handler)

    def _handle(self, signum: int, frame: Any) -> None:
        if os.getpid() != self._process:  # a worker, forked a moment ago
            return
        if self._over:
            return
        if not self._steps:
            raise Interrupted(
                signum,
                sentence(
                    f'{ended_by(signum)}; what was complete before is intact.'
                ),
            )
        if not self.received:
            self.received, self._when = signum, time.monotonic()
            _say(
                f'{signal.Signals(signum).name}: the training ends after '
                'this step with a checkpoint; once more ends it at once.'
            )
        elif time.monotonic() - self._when > ONE_SIGNAL_S:
            _say('ended at once; the last checkpoint is intact.')
            signal.signal(signum, signal.SIG_DFL)
            os.kill(os.getpid(), signum)


# Signals are the process's: there is one watch.
WATCH = SignalWatch()


class Shielded:
    """What a data loader's worker begins with: it ends with its parent alone.

    A terminal's Ctrl-C goes to workers too, whose end would be an error in
    the middle of a step.

    Args:
        init (Callable, optional): What the worker would begin with.
    """

    def __init__(self, init: Optional[Callable[[int], None]]) -> None:
        self.init = init

    def __call__(self, worker: int) -> None:
        """Begin.

        Args:
            worker (int): Its number.
        """
        for signum in SIGNALS:
            signal.signal(signum, signal.SIG_IGN)
        if self.init is not None:
            self.init(worker)


class _HeldBack(multiprocessing.Process):
    """A worker that no signal reaches from its first moment on.

    Between a fork and the worker's own first line PyTorch sets a handler
    that ends it.
    """

    def start(self) -> None:
        """Fork with the signals held back; the worker keeps them so."""
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def shield_workers(loader: 'DataLoader') -> 'DataLoader':
    """Let a loader's workers ignore signals where a training watches them.

    Args:
        loader (DataLoader): Changed in place.

    Returns:
        DataLoader: The same.
    """
    if WATCH.active and loader.num_workers > 0:
        loader.worker_init_fn = Shielded(loader.worker_init_fn)
        context: Any = loader.multiprocessing_context
        if context is None and multiprocessing.get_start_method() == 'fork':
            # A copy: the one that Python gives out is the process's.
            context = copy(multiprocessing.get_context('fork'))
            context.Process = _HeldBack
            loader.multiprocessing_context = context
    return loader


def sentence(text: str) -> str:
    """What the first process says; the others leave the word to it.

    Args:
        text (str): The sentence.

    Returns:
        str: It, or an empty string.
    """
    return text if process_rank() == 0 else ''


def ended_by(signum: int) -> str:
    """Begin a sentence about the end.

    Args:
        signum (int): The signal.

    Returns:
        str: Such as 'ended by SIGTERM'.
    """
    return f'ended by {signal.Signals(signum).name}'


def _end_without_the_other(error: BaseException) -> None:
    """Speak at once: the launcher ends this process in a moment.

    Raises:
        SystemExit: With the status 1.
    """
    print(
        f'error: process {process_rank()} ends, another one of this training '
        'is gone or cannot be reached: what it said is above, if it could; '
        'the last checkpoint is intact, and --resume goes on from it.',
        file=sys.stderr,
        flush=True,
    )
    raise SystemExit(1) from error


def _say(text: str) -> None:
    """Print from within a handler, which may have interrupted a print."""
    if process_rank() == 0:
        os.write(2, f'\n{text}\n'.encode())


def _kill_children(others: List[BaseProcess]) -> None:
    """End workers that ignore signals, or Python would wait for them.

    Args:
        others (list[Process]): Those that are not this training's.
    """
    has_signal = hasattr(signal, 'SIGCHLD')
    if has_signal:
        # PyTorch's handler raises for workers that are killed.
        before = signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for child in multiprocessing.active_children():
        if child not in others:
            child.kill()
            child.join()
    if has_signal and before is not None:  # None: not set from Python
        signal.signal(signal.SIGCHLD, before)


def _end_with_parent() -> None:
    """Where a program holds the standard input open, end when it is gone."""
    if os.environ.pop(END_WITH_STDIN, None) is None:
        return

    def wait() -> None:
        while os.read(0, 1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=wait, daemon=True).start()
