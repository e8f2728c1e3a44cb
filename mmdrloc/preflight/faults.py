"""What another library's exception says, in one sentence with a place."""

import re
from traceback import extract_tb, walk_tb
from typing import Any, List, Optional

from torch import nn

from mmdrloc.utils.errors import UsageError, first_line
from .names import class_at, instead, nearest
from .places import Place
from .signatures import parameters_of

# Whose type says nothing that the message does not.
PLAIN = (AssertionError, RuntimeError, UsageError, ValueError)

UNEXPECTED = re.compile(r"unexpected keyword argument '(\w+)'")
MISSING = re.compile(r'missing \d+ required .*arguments?: (.*)$')
PRODUCT = re.compile(
    r'shapes cannot be multiplied \(\d+x(\d+) and (\d+)x\d+\)'
)
CHANNELS = re.compile(
    r'expected input\[.*?\] to have (\d+) channels, but got (\d+) channels'
)
NORMALIZED = re.compile(r'normalized_shape=\[(\d+)\].*size\s?\[.*?(\d+)\]')


def cause(error: BaseException) -> str:
    """The first line of an error, or what it asserts."""
    text = first_line(error).rstrip(':')
    if isinstance(error, KeyError):
        key = str(error.args[0]) if error.args else ''
        return key if ' ' in key else f'there is no key {text}'
    if isinstance(error, AssertionError) and not str(error).strip():
        return (
            f'this does not hold: {extract_tb(error.__traceback__)[-1].line}'
        )
    if type(error) in PLAIN:
        return text
    return f'{type(error).__name__}: {text}'


def building_fault(error: BaseException, at: str, known: List[Place]) -> str:
    """Why a part cannot be built.

    Args:
        error (Exception): What building it raised.
        at (str): The part's place in the config.
        known (list[Place]): Where the fault may be, from outside inwards.

    Returns:
        str: One sentence: the innermost place, the cause, a remedy.
    """
    place = _innermost(error, known)
    name = place.name if place else at
    text = str(error)
    unexpected, missing = UNEXPECTED.search(text), MISSING.search(text)
    if unexpected and place and unexpected.group(1) in place.node:
        return _unexpected(place, unexpected.group(1))
    if missing and place:
        return f'{name} ({place.label}) needs {missing.group(1)}: write it.'
    label = f' ({place.label})' if place and place.kind else ''
    return f'{name}{label} cannot be built: {cause(error)}.'


def _unexpected(place: Place, key: str) -> str:
    taken: Any = ()
    kind = class_at(place)
    if kind is not None:
        taken = parameters_of(kind)[0]
    remedy = instead(nearest(key, taken))
    return f'{place.name}.{key}: {place.label} takes no `{key}`: {remedy}.'


def _innermost(error: BaseException, known: List[Place]) -> Optional[Place]:
    """The part that was being built last, as the config has it."""
    found = None
    for frame, _ in walk_tb(error.__traceback__):
        if frame.f_code.co_name not in (
            'build_from_cfg',
            'build_scheduler_from_cfg',
        ):
            continue
        settings = frame.f_locals.get('cfg')
        for place in known:
            if isinstance(settings, dict) and _same(settings, place.node):
                found = place
                break
    return found


def _same(built: Any, written: Any) -> bool:
    """Whether a dict is what the config says; builders may add keys."""
    own = {k: v for k, v in written.items() if k in built}
    return (
        bool(own)
        and built.get('type') == written.get('type')
        and all(
            built[key] == value or isinstance(value, dict)
            for key, value in own.items()
        )
    )


def running_fault(error: BaseException, doing: str, model: nn.Module) -> str:
    """Why a step fails, and in which module.

    Args:
        error (Exception): What the step raised.
        doing (str): What was tried.
        model (nn.Module): Whose step it was.

    Returns:
        str: One sentence: the innermost module, the cause, a remedy.
    """
    names = {id(module): name for name, module in model.named_modules()}
    inside, shown = '', ''
    for frame, _ in walk_tb(error.__traceback__):
        module = frame.f_locals.get('self')
        if isinstance(module, nn.Module) and names.get(id(module)):
            inside = names[id(module)]
            shown = type(module).__name__
    where = f' in model.{inside} ({shown})' if inside else ''
    return f'{doing} fails{where}: {cause(error)}{_remedy(error)}.'


def _remedy(error: BaseException) -> str:
    """What to set where widths do not meet."""
    text = str(error)
    for pattern, came_first in (
        (PRODUCT, True),
        (CHANNELS, False),
        (NORMALIZED, False),
    ):
        found = pattern.search(text)
        if found:
            numbers = found.groups() if came_first else found.groups()[::-1]
            return (
                f'; {numbers[0]} channels come in where {numbers[1]} are '
                'expected: make `in_channels` the width of what is before it'
            )
    if 'is invalid for input of size' in text:
        return (
            '; sizes do not divide: compare its heads, its width and the size '
            'of the images'
        )
    if 'out of memory' in text:
        return '; lower the batch size or the size of the images'
    return ''
