"""What classes ask of their arguments, which configs fill in.

A check refuses with a ``UsageError`` that names the argument and its value.
"""

import math
from numbers import Integral, Real
from typing import Any, List, Sequence

from mmdrloc.utils.errors import UsageError


def check_choice(name: str, value: Any, choices: Sequence[str]) -> None:
    """Refuse a value that is none of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise UsageError(f'{name}={value!r} is none of {list(choices)}')


def check_count(name: str, value: Any) -> None:
    """Refuse what is no whole number from 1 on."""
    if not is_whole(value) or value < 1:
        raise UsageError(f'{name}={value!r} is no whole number from 1 on')


def check_finite(name: str, value: Any) -> None:
    """Refuse what is no finite number."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value):
        raise UsageError(f'{name}={value!r} is no finite number')


def check_flag(name: str, value: Any) -> None:
    """Refuse what is neither true nor false: the text 'False' is true."""
    if not isinstance(value, bool):
        raise UsageError(f'{name}={value!r} is neither True nor False')


def check_size(name: str, value: Any) -> None:
    """Refuse what is no size of a grid, (H, W) in cells."""
    if not is_size(value) or min(value) < 1:
        raise UsageError(
            f'{name}={value!r} is no (H, W) of two whole numbers from 1 on'
        )


def names_of(name: str, value: Any) -> List[str]:
    """One name or several as a list; refuse what is neither, or nothing."""
    names = [value] if isinstance(value, str) else value
    are_names = isinstance(names, (list, tuple)) and all(
        isinstance(name, str) and name for name in names
    )
    if not are_names or not names:
        raise UsageError(
            f'{name}={value!r} is neither a name nor a list of names'
        )
    return list(names)


def is_size(value: Any) -> bool:
    """Whether something is one pair of whole numbers, and no list of pairs."""
    return (
        isinstance(value, (list, tuple))
        and len(value) == 2
        and all(map(is_whole, value))
    )


def is_whole(value: Any) -> bool:
    """Whether something is a whole number; True is none."""
    return isinstance(value, Integral) and not isinstance(value, bool)
