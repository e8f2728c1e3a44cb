"""The one kind of error that is the user's to mend, and how it is shown."""

import os
import sys
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Iterator

# What is shown of the first line of an error.
LONGEST = 300


class UsageError(ValueError):
    """Something the user gave cannot work: a file, a config, an argument.

    The message is one or more plain sentences that name the cause and the
    remedy. Command lines print it without a traceback.
    """


@contextmanager
def usage_errors_in_one_sentence() -> Iterator[None]:
    """Turn a :class:`UsageError` into a message on stderr and exit status 1.

    Every command line of the project runs its body inside this context.
    """
    try:
        yield
    except UsageError as error:
        sys.exit(f'error: {error}')


@contextmanager
def unforeseen_in_one_sentence(
    folder: str, is_over: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """Before the first update, no error is a wall of traceback.

    Checks name what they know. Whatever they do not know keeps its traceback
    in a file, or is shown as it is with ``MMDRLOC_TRACEBACK=1``.

    Args:
        folder (str): Where to write ``error.log``.
        is_over (Callable[[], bool]): Whether the preparation is over, and
            errors are left as they are. Defaults to never.

    Raises:
        UsageError: With the first line of what was raised.
    """
    try:
        yield
    except UsageError:
        raise
    except Exception as error:
        if is_over() or os.environ.get('MMDRLOC_TRACEBACK') == '1':
            raise
        *_, last = traceback.extract_tb(error.__traceback__)
        lines = str(error).strip().splitlines() or [last.line or '']
        raise UsageError(
            f'{type(error).__name__}: {lines[0].rstrip(".")[:LONGEST]}. '
            'This was not '
            f'foreseen: {_kept(error, Path(str(folder)))}.'
        ) from error


def _kept(error: Exception, folder: Path) -> str:
    """Write a traceback; say where it is."""
    how = 'MMDRLOC_TRACEBACK=1 before the command shows where it comes from'
    file = folder / 'error.log'
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(''.join(traceback.format_exception(error)))
    except OSError:
        return how
    return f'{how}, and so does {file}'


@contextmanager
def import_errors_explained() -> Iterator[None]:
    """Let the failing import of a library name what finds the cause.

    Raises:
        UsageError: Also because MMEngine's registries hide an ImportError.
    """
    try:
        yield
    # mmdet and mmseg refuse a version of mmcv by an assertion; libraries that
    # do not fit each other lack attributes or operators.
    except (
        AssertionError,
        AttributeError,
        ImportError,
        RuntimeError,
    ) as error:
        raise UsageError(
            f'{type(error).__name__}: {error}. `python -m mmdrloc.doctor` '
            'says what is wrong with this installation, and the command that '
            'mends it.'
        ) from error
