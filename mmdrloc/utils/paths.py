"""Paths of recipes and tools: beside the package, or in its wheel."""

from pathlib import Path
from typing import List, Union

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


def recipe_names() -> List[str]:
    """The names of all recipes of this project."""
    configs = shipped('configs')
    files = [
        file.relative_to(configs).with_suffix('').as_posix()
        for file in configs.rglob('*.py')
    ]
    return sorted(name for name in files if '_base_' not in name)
