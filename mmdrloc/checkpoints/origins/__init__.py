"""The formats of published checkpoints; a module of this folder is one.

A module that defines ``ORIGIN`` is found by itself: to add a format, add a
file.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import Dict, Iterable, Optional

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


def detect_origin(names: Iterable[str]) -> Optional[Origin]:
    """Tell the format of a checkpoint by the names of all its tensors.

    Returns:
        Origin, optional: None where it is not known, or not for sure.
    """
    names = list(names)
    found = [origin for origin in ORIGINS.values() if origin.recognises(names)]
    return found[0] if len(found) == 1 else None
