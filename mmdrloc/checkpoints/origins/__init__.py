"""The formats of published checkpoints; a module of this folder is one.

A module that defines ``ORIGIN`` is found by itself: to add a format, add a
file.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Dict, Iterable

from mmdrloc.utils.errors import UsageError
from .origin import Converted, Origin, Rule

__all__ = ['ORIGINS', 'Converted', 'Origin', 'Rule', 'detect_origin']


def _find_origins() -> Dict[str, Origin]:
    modules = [
        import_module(f'{__name__}.{info.name}')
        for info in iter_modules(__path__)
    ]
    origins = [m.ORIGIN for m in modules if hasattr(m, 'ORIGIN')]
    return {origin.name: origin for origin in origins}


ORIGINS = _find_origins()


def detect_origin(names: Iterable[str]) -> Origin:
    """Tell the format of a checkpoint by the names of all its tensors.

    Raises:
        UsageError: If none does, or more than one.
    """
    names = list(names)
    found = [origin for origin in ORIGINS.values() if origin.recognises(names)]
    if len(found) == 1:
        return found[0]
    known = ', '.join(f'{o.name} ({o.title})' for o in ORIGINS.values())
    if not found:
        raise UsageError(
            f'the origin of tensors named {", ".join(names[:3])}, ... is not '
            f'known; known are: {known}. To add a format, see docs/'
            'checkpoints.md.'
        )
    raise UsageError(
        'the tensors look like those of more than one origin: '
        f'{", ".join(origin.name for origin in found)}; choose with --origin.'
    )
