"""What libraries print is kept for the log of the run, and not shown."""

import builtins
from contextlib import contextmanager
from logging import INFO, Handler, LogRecord
from typing import Any, Iterator, List

from .noise import is_library, speaker

PRINT = builtins.print


class Kept:
    """What was not shown: waits for a log file, then goes there."""

    def __init__(self) -> None:
        self.records: List[LogRecord] = []
        self.files: List[Handler] = []

    def add(self, record: LogRecord) -> None:
        """Keep something.

        Args:
            record (LogRecord): What was said.
        """
        if not self.files:
            self.records.append(record)
        for file in self.files:
            file.handle(record)

    def say(self, name: str, text: str, level: int = INFO) -> None:
        """Keep what was not said to a logger.

        Args:
            name (str): The module that says it.
            text (str): What it says.
            level (int): As in ``logging``. Defaults to INFO.
        """
        package = name.partition('.')[0]
        self.add(LogRecord(package, level, name, 0, text, None, None))

    def write_to(self, files: List[Handler]) -> None:
        """Write to the log from now on, first of all what has waited.

        Args:
            files (list[Handler]): The run's.
        """
        self.files = files
        if files:
            records, self.records = self.records, []
            for record in records:
                self.add(record)

    def show(self) -> None:
        """Show what has waited."""
        for record in self.records:
            PRINT(record.getMessage())
        self.forget()

    def forget(self) -> None:
        """Begin anew."""
        self.records, self.files = [], []


# There is one console.
KEPT = Kept()


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
        KEPT.say(name, (options.get('sep') or ' ').join(map(str, values)))
    else:
        PRINT(*values, **options)
