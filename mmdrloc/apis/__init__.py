"""Everything that the command line does, as calls in Python.

Any number of them, for any task, follow one another in a notebook. What a
call leaves behind is what MMEngine sets for a run: the states of the random
generators, the start method of processes, OpenCV's threads, and a launcher's
process group.
"""

from importlib import import_module
from typing import Any

# Imported when they are asked for: some need no torch, whose import takes
# seconds.
_PLACES = dict(
    Comparison='.comparison',
    Recipe='mmdrloc.datasets.recipe_list',
    Run='.run',
    Transfer='.transferring',
    compare='.comparison',
    doctor='.installation',
    export='.transferring',
    list_recipes='.showing',
    predict='.prediction',
    publish='.transferring',
    recipes='mmdrloc.datasets.recipe_list',
    report='mmdrloc.reporting.report',
    show='.showing',
    test='.testing',
    train='.training',
    transfer='.transferring',
)
__all__ = [*_PLACES]


def __getattr__(name: str) -> Any:
    """Import what is asked for; see PEP 562."""
    if name not in _PLACES:
        raise AttributeError(f'module {__name__} has no attribute {name}')
    return getattr(import_module(_PLACES[name], __name__), name)
