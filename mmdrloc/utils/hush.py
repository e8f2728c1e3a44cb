"""What libraries print is kept for the log of the run, and not shown."""

import builtins
from contextlib import contextmanager
from logging import INFO, LogRecord
from logging.handlers import MemoryHandler
from typing import Any, Iterator

from .noise import is_library, speaker

PRINT = builtins.print


# What was not shown: waits for a log file, its target, then goes there.
KEPT = MemoryHandler(capacity=1, flushOnClose=False)


def keep(name: str, text: str, level: int = INFO) -> None:
    """Keep what was not said to a logger.

    Args:
        name (str): The module that says it.
        text (str): What it says.
        level (int): As in ``logging``. Defaults to INFO.
    """
    package = name.partition('.')[0]
    KEPT.handle(LogRecord(package, level, name, 0, text, None, None))


def show_kept() -> None:
    """Show what has waited."""
    for record in KEPT.buffer:
        PRINT(record.getMessage())
    forget_kept()


def forget_kept() -> None:
    """Begin anew."""
    KEPT.setTarget(None)
    KEPT.buffer.clear()


@contextmanager
def hushed() -> Iterator[None]:
    """Keep what libraries print, also while they are imported."""
    before = builtins.print
    builtins.print = _print
    try:
        yield
    finally:
        builtins.print = before


def _print(*values: Any, **options: Any) -> None:
    name = speaker()
    if options.get('file') is None and is_library(name):
        keep(name, (options.get('sep') or ' ').join(map(str, values)))
    else:
        PRINT(*values, **options)
