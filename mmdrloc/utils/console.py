"""Console of a command: a progress line, and no chatter of libraries.

What libraries log goes to the log file of the run. The console shows this
project's own messages, everybody's warnings but for a few known ones, and how
far a command is. ``log_level = 'DEBUG'`` in a config shows everything.
"""

import logging
import re
import time
import warnings
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Iterator, Optional

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.table import Column

from .paths import PACKAGE, is_installed

# Modules of libraries whose INFO records are shown: why a training ended
# early, and in a test the tables of results.
TOLD = ('early_stopping_hook.py',)
TABLES = '/evaluation/'
# What mmseg's table of classes begins with, which MMEngine logs in its name.
OF_CLASSES = ('per class results:', '\n+--')
# Libraries' warnings that no user can do anything about.
KNOWN = (
    r'.*"FileClient" will be deprecated',
    r'.*"HardDiskBackend" is the alias of',
    # A config without schedules has none to save.
    r'.*`save_param_scheduler` is True but',
    r'.*The prefix is not set in metric class',
    # MMEngine steps schedules in iterations, whatever makes an update.
    r'.*Detected call of `lr_scheduler\.step\(\)` before',
    # Functions such as collate_fn and other kinds of runners are MMEngine's.
    r'.*Failed to search registry with scope .* in the '
    r'"(function|inferencer|strategy)" registry',
    # mmpretrain's ColorTransform and the like ask for it.
    r".*Only use 'alpha' for pillow backend",
    # Chinese names of classes, where no font has them, are boxes.
    r'.*Glyph .* missing from',
    # Colours that mmdet draws at random.
    r'.*random is not a meta file, simply parsed as meta',
    r'.*init_weights of \S+ has been called more than once',
    r'.*Setting (OMP|MKL)_NUM_THREADS environment variable',
    r'.*torch\.meshgrid: in an upcoming release',
    r'.*faster_coco_eval is not installed',
    r'.*``build_loss`` would be deprecated soon',
    r'.*Default ``avg_non_ignore`` is False',
    r'.*For binary segmentation, we suggest using',
    # Of each tensor of a part that a recipe does not train.
    r'.*is skipped since its requires_grad=False',
    # They are loaded after the initialisation.
    r'.*No pre-trained weights for',
    r'.*The draw is False, it means that the hook for visualization',
    # Of what is drawn beyond the border of an image.
    r'.* is out of bounds, the drawn',
)
# Seconds between two states of the line on a terminal, or two lines in a file.
IN_PLACE_S, IN_FILE_S = 0.2, 60.0
BAR = 15  # characters


class _Shown(logging.Filter):
    """Passes warnings, our own records and, if wanted, tables of results."""

    def __init__(self, tables: bool) -> None:
        super().__init__()
        self.tables = tables

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to show a record; see :meth:`logging.Filter.filter`."""
        if record.levelno >= logging.WARNING:
            text = record.getMessage()
            return not any(re.match(known, text) for known in KNOWN)
        path = record.pathname
        return (
            not is_installed(path)
            or path.startswith(str(PACKAGE))
            or path.endswith(TOLD)
            or self.tables
            and (TABLES in path or record.getMessage().startswith(OF_CLASSES))
        )


class _Plain(logging.Formatter):
    """Formats a record as its text, with the level before a warning."""

    def format(self, record: logging.LogRecord) -> str:
        """Format a record; see :meth:`logging.Formatter.format`."""
        is_warning = record.levelno >= logging.WARNING
        level = f'{record.levelname.lower()}: ' if is_warning else ''
        return level + record.getMessage()


def quiet(logger: logging.Logger, tables: bool = False) -> None:
    """Show on the console only what concerns the user; files get all."""
    for handler in logger.handlers if logger.level != logging.DEBUG else ():
        if not isinstance(handler, logging.FileHandler):
            kept = [f for f in handler.filters if not isinstance(f, _Shown)]
            handler.filters = [*kept, _Shown(tables)]
            handler.setFormatter(_Plain())


@contextmanager
def known_warnings_ignored() -> Iterator[None]:
    """Ignore Python warnings that no user can do anything about."""
    with warnings.catch_warnings():
        for kind in (DeprecationWarning, FutureWarning):
            warnings.simplefilter('ignore', kind)
        for known in KNOWN:
            warnings.filterwarnings('ignore', known)
        yield


class ProgressLine:
    """Progress: a bar in place on a terminal, periodic lines elsewhere."""

    def __init__(self, in_place_s: float = IN_PLACE_S) -> None:
        self.console = Console(highlight=False)
        is_dumb = self.console.is_dumb_terminal
        self.in_place = self.console.is_terminal and not is_dumb
        self.interval_s = in_place_s if self.in_place else IN_FILE_S
        self._shown = time.monotonic()
        self._bar: Optional[Progress] = None

    def is_due(self) -> bool:
        """Whether it is time to show it again."""
        return time.monotonic() - self._shown >= self.interval_s

    def show(self, text: str, done: int = 0, total: int = 0) -> None:
        """Show how far it is, of a total if there is one."""
        self._shown = time.monotonic()
        with suppress(OSError):  # a closed pipe, or a full disk
            if not self.in_place:
                print(text, flush=True)
                return
            self._bar = self._bar or self._begin()
            self._bar.update(
                TaskID(0),
                description=text,
                completed=done,
                total=total or None,
                refresh=True,
            )

    def _begin(self) -> Progress:
        rest = Column(ratio=1, no_wrap=True, overflow='ellipsis')
        text = '{task.description}'
        bar = Progress(
            BarColumn(BAR, table_column=Column(width=BAR)),
            TextColumn(text, 'cyan', markup=False, table_column=rest),
            console=self.console,
            auto_refresh=False,  # forks copy no threads
            transient=True,
            expand=True,
        )
        bar.add_task('')
        bar.start()
        # A process that is killed could not show it again.
        self.console.show_cursor(True)
        return bar

    def close(self) -> None:
        """Take it off the terminal."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None


def minutes(seconds: float) -> str:
    """A time as hours, minutes and seconds, such as '0:02:05'."""
    return str(timedelta(seconds=max(0, round(seconds))))
