"""Checks of arguments that configs give.

They raise a ``UsageError`` that names the argument and its value.
"""

import math
from numbers import Integral, Real
from typing import Any, Sequence

from mmdrloc.utils.errors import UsageError


def check_choice(name: str, value: Any, choices: Sequence[Any]) -> None:
    """Refuse a value that is not among the choices."""
    if value not in choices:
        raise UsageError(f'{name}={value!r} is none of {list(choices)}')


def check_count(name: str, value: Any) -> None:
    """Refuse all but whole numbers from 1 on."""
    if not isinstance(value, Integral) or value < 1:
        raise UsageError(f'{name}={value!r} is no whole number from 1 on')


def check_weight(name: str, value: Any) -> None:
    """Refuse all but finite numbers from 0 on."""
    if not isinstance(value, Real) or not 0 <= float(value) < math.inf:
        raise UsageError(f'{name}={value!r} is no finite number from 0 on')


def is_size(value: Any) -> bool:
    """Whether something is one pair of whole numbers, and no list of pairs."""
    return (
        isinstance(value, (list, tuple))
        and len(value) == 2
        and all(isinstance(length, Integral) for length in value)
    )
