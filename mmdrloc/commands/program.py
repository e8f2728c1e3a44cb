"""What surrounds a command: its errors, and signals before it begins."""

import atexit
import os
import signal
import sys
import time
from contextlib import contextmanager
from types import ModuleType
from typing import Any, Iterator

from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import usage_errors_in_one_sentence

# For how long another rank leaves the word to the first one.
PATIENCE_S = 10.0


@contextmanager
def errors_told() -> Iterator[None]:
    """Like :func:`usage_errors_in_one_sentence`, for several processes.

    Most errors are found by all ranks at once. The first one speaks, and its
    launcher then ends the others; a rank that is left alone has an error of
    its own to report.
    """
    try:
        with usage_errors_in_one_sentence():
            yield
    except SystemExit as end:
        if process_rank() > 0 and isinstance(end.code, str):
            time.sleep(PATIENCE_S)
        _end_in_group(end.code)
        raise
    _end_in_group(None)


def _end_in_group(status: Any) -> None:
    """Leave a group of processes, without what Python does at its end.

    Gloo's threads may still let go of Python's objects then, and Python
    aborts a process for that, whose training is complete.
    """
    torch = sys.modules.get('torch')
    if torch is None or not torch.distributed.is_initialized():
        return
    if isinstance(status, str):
        print(status, file=sys.stderr)
        status = 1
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status or 0)


@contextmanager
def importing() -> Iterator[None]:
    """While libraries are imported, which takes seconds, Ctrl-C just ends."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def calling() -> Iterator[ModuleType]:
    """Give :mod:`mmdrloc.apis`, and tell the errors of what is called."""
    with errors_told():
        with importing():
            from mmdrloc import apis
        yield apis
