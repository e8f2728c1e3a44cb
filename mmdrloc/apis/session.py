"""Context of a call: files read as data, signals, a quiet console."""

from contextlib import contextmanager
from typing import Iterator

from mmengine.logging import MMLogger

from mmdrloc.checkpoints.reading import files_as_data
from mmdrloc.utils.console import known_warnings_ignored, quiet
from mmdrloc.utils.signals import watched


@contextmanager
def session(trust: bool = False, tables: bool = False) -> Iterator[None]:
    """Do one thing as a command line does it, in whatever process.

    Files are read as data, the console is quiet, and signals end a training
    between two updates. Afterwards, also after an exception, environment,
    signal handlers and readers of files are as before.

    Args:
        trust (bool): Whether files may run the code that they contain.
            Defaults to False.
        tables (bool): Whether the libraries' tables of results are wanted.
            Defaults to False.
    """
    quiet(MMLogger.get_current_instance(), tables)
    with watched(), files_as_data(trust), known_warnings_ignored():
        yield
