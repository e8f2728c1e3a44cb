"""Paths of recipes and tools: beside the package, or in its wheel."""

import shlex
import sys
from pathlib import Path
from typing import List, Union

from .errors import UsageError, did_you_mean

Place = Union[str, Path]
PACKAGE = Path(__file__).resolve().parents[1]


def is_installed(file: str) -> bool:
    """Whether pip put a file there; Debian has another name for the place."""
    return not {'site-packages', 'dist-packages'}.isdisjoint(Path(file).parts)


def shipped(name: str) -> Path:
    """Find a file or folder that comes with the package."""
    place = PACKAGE.parent / name
    return place if place.exists() else PACKAGE / '.mim' / name


def find_recipe(recipe: Place) -> Path:
    """Find the file of a config or of a recipe's name.

    A path that does not exist is returned as it is.
    """
    path = Path(recipe).expanduser()
    name = str(recipe).removeprefix('configs/').removesuffix('.py')
    ours = shipped('configs') / f'{name}.py'
    return ours if not path.is_file() and ours.is_file() else path


def recipe_file(recipe: Place) -> Path:
    """Find the same, or raise a UsageError with the nearest name."""
    path = find_recipe(recipe)
    if path.is_dir():
        held = sorted(path.glob('*.py'))
        one = f': give one, such as {held[0]}' if held else ''
        raise UsageError(f'{path} is a folder, not a config{one}.')
    if not path.exists():
        word = str(recipe).removeprefix('configs/').removesuffix('.py')
        raise UsageError(
            f'there is no recipe {path}{did_you_mean(word, recipe_names())} '
            '`mmdrloc recipes` lists those of this project.'
        )
    return path


def recipe_names() -> List[str]:
    """The names of all recipes of this project."""
    configs = shipped('configs')
    files = (file.relative_to(configs) for file in configs.rglob('*.py'))
    names = sorted(file.with_suffix('').as_posix() for file in files)
    return [name for name in names if '_base_' not in name]


def command_line(name: str, *words: Place) -> str:
    """A command of this project, in the form in which the user called one."""
    tools = Path(sys.argv[0]).parent
    tool = tools / f'{name}.py'
    is_tool = tools.name == 'tools' and tool.is_file()
    called = ['python', tool] if is_tool else ['mmdrloc', name]
    return shlex.join(map(str, [*called, *words]))
