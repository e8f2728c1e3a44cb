"""The console of a tool: quiet, or with all that libraries say."""

import logging
import sys
import warnings
from contextlib import contextmanager
from typing import Any, Iterator, List, Optional, Type, Union

from mmengine.dist import is_main_process
from mmengine.logging import MMLogger

from .hush import KEPT, PRINT, forget_kept, hushed, keep, show_kept
from .noise import is_noise, speaker
from .progress import ProgressLine


class Console:
    """What a tool shows while it runs.

    Libraries' information and the warnings that nobody can do anything about
    go to the log file of the run alone.
    """

    def __init__(self) -> None:
        #: How far the tool is; None where libraries are to speak.
        self.line: Optional[ProgressLine] = None
        self.tables = False

    @contextmanager
    def opened(self, verbose: bool, tables: bool = False) -> Iterator[None]:
        """Keep the console quiet.

        Args:
            verbose (bool): Whether to leave everything as libraries do it.
            tables (bool): Whether the libraries' tables of results are
                wanted. Defaults to False.
        """
        if verbose:
            show_kept()
            yield
            return
        self.line, self.tables = ProgressLine(), tables
        before = warnings.showwarning
        warnings.showwarning = self._warn
        logger = MMLogger.get_current_instance()
        handlers = list(logger.handlers)
        self.take_over(logger)
        try:
            with hushed():
                yield
        finally:
            warnings.showwarning = before
            logger.handlers[:] = handlers
            self.line.close()
            self.line = None
            forget_kept()

    def take_over(self, logger: MMLogger) -> MMLogger:
        """Show of a logger what concerns the user; its file has all.

        Args:
            logger (MMLogger): Changed in place, if the console is quiet.

        Returns:
            MMLogger: The same.
        """
        if self.line is not None:
            files: List[logging.Handler] = [
                handler
                for handler in logger.handlers
                if isinstance(handler, logging.FileHandler)
            ]
            for file in files:  # one at most
                KEPT.setTarget(file)
                KEPT.flush()
            logger.handlers[:] = [
                handler if handler in files else _Shown(handler, files)
                for handler in logger.handlers
            ]
        return logger

    def _warn(
        self,
        message: Union[Warning, str],
        category: Type[Warning],
        filename: str,
        lineno: int,
        file: Any = None,
        line: Optional[str] = None,
    ) -> None:
        """Stand for :func:`warnings.showwarning`."""
        name = speaker()
        text = f'{category.__name__}: {message}'
        place = f'({filename}:{lineno})'
        keep(name, f'{text} {place}', logging.WARNING)
        if is_main_process() and not is_noise(name, logging.WARNING, text):
            PRINT(f'warning: {message} {place}', file=sys.stderr)


# There is one.
CONSOLE = Console()


class _Shown(logging.Handler):
    """Shows what concerns the user, and only the text of it.

    Args:
        usual (logging.Handler): MMEngine's, in whose place this one is.
        files (list[logging.Handler]): The log files, if there are any.
    """

    def __init__(
        self, usual: logging.Handler, files: List[logging.Handler]
    ) -> None:
        super().__init__(usual.level)
        self.filters = list(usual.filters)
        self.files = files

    def emit(self, record: logging.LogRecord) -> None:
        """Show a record, or not; see :meth:`logging.Handler.emit`."""
        if not self.files:
            KEPT.handle(record)
        text, level = record.getMessage(), record.levelno
        if is_noise(speaker(), level, text, CONSOLE.tables):
            return
        if level >= logging.WARNING:
            text = f'{record.levelname.lower()}: {text}'
        try:
            PRINT(text, flush=True)
        except OSError:
            self.handleError(record)
