"""The one kind of error that is the user's to mend, and how it is shown."""

import sys
from contextlib import contextmanager
from typing import Iterator


class UsageError(ValueError):
    """Something the user gave cannot work: a file, a config, an argument.

    The message is one or more plain sentences that name the cause and the
    remedy. Command lines print it without a traceback.
    """


@contextmanager
def usage_errors_in_one_sentence() -> Iterator[None]:
    """Turn a :class:`UsageError` into a message on stderr and exit status 1.

    Also mmdet's cry for operators, where an installation was made without.
    Every command line of the project runs its body inside this context.
    """
    try:
        yield
    except UsageError as error:
        sys.exit(f'error: {error}')
    except ModuleNotFoundError as error:
        if error.name != 'mmcv._ext':
            raise
        sys.exit(
            'error: this needs the compiled operators of mmcv, which this '
            'installation was made without: `make env` adds them (original '
            'line: `make env STACK=openmmlab`), `python -m mmdrloc.doctor` '
            'says what else is missing.'
        )


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
