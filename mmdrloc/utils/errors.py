"""Turn exceptions into one-line errors that name cause and remedy."""

import difflib
import errno
import functools
import logging
import os
import re
import signal
import sys
import tempfile
import traceback
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterable, Iterator, List, Optional, Sequence, Union

# How much of an error's first line is shown.
LONGEST = 300
TRACEBACK = 'Traceback (most recent call last):'
FULL = (errno.ENOSPC, errno.EDQUOT)
# The system's other errors where nothing can be written.
NAMES = 'EROFS EACCES EFBIG EISDIR EEXIST ENOTDIR ENAMETOOLONG'
CLOSED = tuple(getattr(errno, name) for name in NAMES.split())
NO_OPERATORS = (
    'this needs the compiled operators of mmcv, which this installation was '
    'made without: `mmdrloc doctor` names the command that adds them.'
)


class UsageError(ValueError):
    """A file, a config or an argument of the user cannot work.

    The message is one or more plain sentences that name the cause and the
    remedy. Command lines print it without a traceback, and so do notebooks.
    """

    def _render_traceback_(self) -> List[str]:
        """Replace the traceback in IPython."""
        return [f'{type(self).__name__}: {self}']


class UnexpectedError(UsageError):
    """Another class's error in one sentence; its traceback is logged."""


class Interrupted(KeyboardInterrupt):
    """A signal ends the program.

    Args:
        signum (int): The signal.
        sentence (str): The message; empty where another process prints it.
    """

    def __init__(self, signum: int, sentence: str) -> None:
        super().__init__(sentence)
        self.signum = signum


def _message(error: BaseException) -> str:
    """The text of an error, without the traceback of a loader's worker."""
    _, found, text = str(error).rpartition(TRACEBACK)
    if found:  # its lines are indented
        text = re.split(r'\n(?=\S)', text, maxsplit=1)[-1].strip()
        own = isinstance(error, UsageError)
        return text.partition('Error: ')[2] if own else text
    return text


def first_line(error: BaseException) -> str:
    """The first line of an error, without the full stop."""
    lines = _message(error).strip().splitlines() or [type(error).__name__]
    said = lines[0].strip().rstrip('.:')
    if said.endswith(' raised') and lines[1:]:  # PyTorch's compiler
        said += f': {lines[1].strip()}'
    return said[:LONGEST]


def cause(error: BaseException) -> str:
    """The first line of an error, with its type where that says more."""
    text = first_line(error)
    if isinstance(error, AssertionError) and not str(error).strip():
        line = traceback.extract_tb(error.__traceback__)[-1].line
        return f'this does not hold: {line}'
    if isinstance(error, KeyError):
        key = str(error.args[0]) if error.args else ''
        return first_line(Exception(key)) if ' ' in key else f'no key {text}'
    if 'out of memory' in text:
        text += ' (lower the batch size or the size of the images)'
    plain = (AssertionError, RuntimeError, ValueError)
    name = type(error).__name__
    is_told = text.startswith(name) or isinstance(error, UsageError)
    return text if type(error) in plain or is_told else f'{name}: {text}'


def cannot_write(error: OSError) -> str:
    """Say why something was not written, and what helps."""
    place = f' ({error.filename})' if error.filename else ''
    remedy = 'give another place, or change its permissions,'
    if error.errno in FULL:
        remedy = 'free some space'
    return (
        f'{error.strerror}{place}: {remedy} and run it again; what was '
        'complete before is intact.'
    )


@contextmanager
def one_sentence_errors(
    work_dir: Union[None, str, Path] = None,
    rank: int = 0,
) -> Iterator[None]:
    """Turn any exception into one sentence; keep its traceback in a file.

    That is ``error.log`` in ``work_dir``, or else a new temporary file. Other
    processes than the first write ``error_1.log`` and so on: where one fails,
    all lose their connection.
    """
    handled = sys.exc_info()[1]  # by whoever calls, as in a notebook
    try:
        yield
    except BrokenPipeError:
        raise
    except Exception as error:  # anyone's class may have raised it
        before: Optional[BaseException] = error
        while (before := before.__context__) not in (None, handled):
            # Some libraries take it for a fault of what they were doing.
            if isinstance(before, KeyboardInterrupt):
                raise before from None
        if isinstance(error, OSError) and error.errno in FULL + CLOSED:
            raise UsageError(cannot_write(error)) from error
        if isinstance(error, ImportError) and error.name == 'mmcv._ext':
            raise UsageError(NO_OPERATORS) from error
        said = f'{cause(error)}.'
        if isinstance(error, UsageError):
            said = _message(error)
            if type(error) is UsageError and said == str(error):
                raise
        raise UsageError(said + _logged(error, work_dir, rank)) from error


def _logged(
    error: Exception, folder: Union[None, str, Path], rank: int
) -> str:
    """Write the traceback; say where it is."""
    try:
        if folder is None:
            # Under a known name, others could have put a link there.
            descriptor, name = tempfile.mkstemp('.log', 'mmdrloc_error_')
            os.close(descriptor)
            file = Path(name)
        else:
            file = Path(folder, f'error_{rank}.log' if rank else 'error.log')
            file.parent.mkdir(parents=True, exist_ok=True)
        text = ''.join(traceback.format_exception(error))
        file.write_text(text, errors='backslashreplace')
    except OSError:
        return ''
    return f' The traceback is in {file}.'


@contextmanager
def usage_errors_in_one_sentence() -> Iterator[None]:
    """Turn any exception into a message on stderr.

    The exit status is 1, or 128 and the signal's number after a signal.
    Every command line of the project runs its body inside this context.
    """
    try:
        # Python's switch for the tracebacks of lines that cannot be logged.
        logging.raiseExceptions = False
        with one_sentence_errors():
            yield
            sys.stdout.flush()
    except UsageError as error:
        sys.exit(f'error: {error}')
    except KeyboardInterrupt as stop:
        if not isinstance(stop, Interrupted):
            stop = Interrupted(signal.SIGINT, 'interrupted')
        if str(stop):
            print(stop, file=sys.stderr)
        sys.exit(128 + stop.signum)
    except BrokenPipeError:  # such as of `| head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def refuse(problems: Sequence[str], error: Optional[Exception] = None) -> None:
    """Raise a UsageError with all problems, if there are any."""
    problems = list(dict.fromkeys(problems))
    if len(problems) > 1:
        problems.insert(0, f'{len(problems)} problems found:')
    if problems:
        kind = UsageError if error is None else UnexpectedError
        raise kind('\n  - '.join(problems)) from error


def mention(*notes: str) -> None:
    """Print notes, each once: no faults, but of interest to the user."""
    for note in notes:
        _say(f'note: {note}')


@functools.cache
def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def few(items: Sequence[Any], most: int = 5) -> str:
    """The first of many things, and how many more there are."""
    text = ', '.join(str(item) for item in items[:most])
    more = len(items) - most
    return f'{text} and {more} more' if more > 0 else text


def counted(number: int, noun: str) -> str:
    """A number of things: '1 epoch', '2 epochs', '2 classes'."""
    plural = 'es' if noun.endswith('s') else 's'
    return f'{number} {noun}{plural * (number != 1)}'


def in_brackets(classes: Sequence[str]) -> str:
    """Names in brackets, the first of many."""
    return f' ({few(classes, 12)})'


def first_few(sentences: Sequence[str], rest: str, most: int = 5) -> List[str]:
    """The first of many sentences, and one that counts the others."""
    more = len(sentences) - most
    others = [f'{more} more {rest}'] if more > 0 else []
    return [*sentences[:most], *others]


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """The end of a sentence: the nearest of some words, if one is near."""
    near = nearest(word, known, 0.6)
    return f'; did you mean {near}?' if near else '.'


def nearest(
    word: str, known: Iterable[str], cutoff: float = 0.75
) -> Optional[str]:
    """The known word that is spelt most like this one."""
    by_lower = {name.lower(): name for name in known}
    found = difflib.get_close_matches(word.lower(), by_lower, 1, cutoff)
    return by_lower[found[0]] if found else None
