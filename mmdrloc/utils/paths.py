"""Paths of recipes and tools: beside the package, or in its wheel."""

from pathlib import Path
from typing import List, Union

from .errors import UsageError, nearest

PACKAGE = Path(__file__).resolve().parents[1]


def shipped(name: str) -> Path:
    """Find what comes with the package."""
    place = PACKAGE.parent / name
    return place if place.exists() else PACKAGE / '.mim' / name


def find_recipe(recipe: Union[str, Path]) -> Path:
    """The file of a recipe; as it was given where there is none.

    Args:
        recipe (str | Path): A config, or the name of a recipe, such as
            ``scratch_100e/swin-tiny_drloc``.
    """
    path = Path(recipe).expanduser()
    name = str(recipe).removeprefix('configs/').removesuffix('.py')
    ours = shipped('configs') / f'{name}.py'
    return ours if not path.is_file() and ours.is_file() else path


def recipe_file(recipe: Union[str, Path]) -> Path:
    """The same, or a UsageError with the nearest name."""
    path = find_recipe(recipe)
    if not path.exists():
        word = str(recipe).removeprefix('configs/').removesuffix('.py')
        near = nearest(word, recipe_names(), 0.6)
        meant = f'; did you mean {near}?' if near else '.'
        raise UsageError(
            f'there is no config {path}{meant} `mmdrloc recipes` lists '
            'those of this project.'
        )
    return path


def recipe_names() -> List[str]:
    """The names of all recipes of this project."""
    configs = shipped('configs')
    files = [
        file.relative_to(configs).with_suffix('').as_posix()
        for file in configs.rglob('*.py')
    ]
    return sorted(name for name in files if '_base_' not in name)
