"""The one kind of error that is the user's to mend, and how it is shown."""

import errno
import logging
import os
import signal
import sys
import threading
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Iterator, List

# What is shown of the first line of an error.
LONGEST = 300
# How torch begins what it says of a worker's error.
FROM_WORKER = 'Caught UsageError in DataLoader worker'


class UsageError(ValueError):
    """Something the user gave cannot work: a file, a config, an argument.

    The message is one or more plain sentences that name the cause and the
    remedy. Command lines print it without a traceback, and so do notebooks.

    Args:
        *message (object): Of what a worker of a loader raised, torch makes a
            new error with the worker's traceback: the sentence is kept.
    """

    def __init__(self, *message: object) -> None:
        if message and str(message[0]).startswith(FROM_WORKER):
            sentence = str(message[0]).rpartition(f'{__name__}.UsageError: ')
            message = (sentence[2].strip(), *message[1:])
        super().__init__(*message)

    def _render_traceback_(self) -> List[str]:
        """What IPython shows in place of a traceback."""
        return [f'{type(self).__name__}: {self}']


class Interrupted(KeyboardInterrupt):
    """A signal ends the program.

    Args:
        signum (int): The signal.
        sentence (str): What is said; empty where another process says it.
    """

    def __init__(self, signum: int, sentence: str) -> None:
        super().__init__(sentence)
        self.signum = signum


def first_line(error: BaseException) -> str:
    """What an error says, fit to be followed by something else.

    Args:
        error (BaseException): Any.

    Returns:
        str: The first line of its message, or its type; no full stop.
    """
    text = str(error).strip() or type(error).__name__
    return text.splitlines()[0].rstrip('.')


# What the system answers where nothing can be written, and the remedy.
CANNOT_WRITE = {
    errno.ENOSPC: 'free some space',
    errno.EDQUOT: 'free some space',
    errno.EROFS: 'give another folder',
    errno.EACCES: 'change its permissions or give another one',
    errno.EFBIG: 'raise the limit (ulimit -f)',
    errno.EISDIR: 'name a file, not a folder,',
    errno.EEXIST: 'give another name',
    errno.ENOTDIR: 'give another folder',
    errno.ENAMETOOLONG: 'give a shorter name',
}


@contextmanager
def usage_errors_in_one_sentence() -> Iterator[None]:
    """Turn what the user can mend into a message on stderr.

    The exit status is 1 after a :class:`UsageError` and where a file or the
    disk cannot be read or written, 128 and the signal's number after a
    signal. Every command line of the project runs its body inside this
    context.
    """
    # Or each line of a log on a full disk would be a traceback.
    logging.raiseExceptions = False
    threading.excepthook = _end_of_thread
    try:
        yield
    except UsageError as error:
        sys.exit(f'error: {error}')
    except ModuleNotFoundError as error:
        if not lacks_operators(error):
            raise
        sys.exit(
            'error: this needs the compiled operators of mmcv, which this '
            'installation was made without: `mmdrloc doctor` names '
            'the command that adds them.'
        )
    except KeyboardInterrupt as stop:
        if not isinstance(stop, Interrupted):
            stop = Interrupted(signal.SIGINT, 'interrupted')
        if str(stop):
            print(stop, file=sys.stderr)
        sys.exit(128 + stop.signum)
    except OSError as error:
        # Without a name it is a connection's, or somebody's own.
        if error.errno not in CANNOT_WRITE and error.filename is None:
            raise
        sys.exit(f'error: {cannot_write(error)}')
    finally:
        logging.raiseExceptions = True
        threading.excepthook = threading.__excepthook__


def lacks_operators(error: Exception) -> bool:
    """Whether an installation was made without mmcv's operators."""
    return isinstance(error, ImportError) and error.name == 'mmcv._ext'


def cannot_write(error: OSError) -> str:
    """Say why something was not written, and what helps.

    Args:
        error (OSError): With one of the causes in :data:`CANNOT_WRITE`, or
            any other.

    Returns:
        str: A sentence.
    """
    place = f' ({error.filename})' if error.filename else ''
    remedy = CANNOT_WRITE.get(error.errno, 'see to the disk')
    return (
        f'{error.strerror}{place}: {remedy} and run it again; what was '
        'complete before is intact.'
    )


def _end_of_thread(args: threading.ExceptHookArgs) -> None:
    """Say in one sentence that a thread, TensorBoard's, cannot write."""
    error = args.exc_value
    if isinstance(error, OSError) and error.errno in CANNOT_WRITE:
        print(f'warning: {cannot_write(error)}', file=sys.stderr)
    else:
        threading.__excepthook__(args)


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
        if lacks_operators(error):
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
