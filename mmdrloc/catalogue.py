"""The recipes of this project, listed and searched."""

from typing import Any, Dict, List, NamedTuple, Tuple

import yaml

from mmdrloc.shipped import shipped


class Recipe(NamedTuple):
    """What is known of a recipe.

    Args:
        name (str): What commands call it, such as
            ``scratch_100e/swin-tiny_drloc``.
        task (str): Such as 'Image Classification'; empty where nobody named
            data for it.
        datasets (tuple[str, ...]): On which something is published or
            measured.
        published (tuple[str, ...]): Values with data sets and tables.
        measured (str): What was measured here; empty if nothing was.
    """

    name: str
    task: str
    datasets: Tuple[str, ...]
    published: Tuple[str, ...]
    measured: str


def recipes(*words: str) -> List[Recipe]:
    """Find recipes, as their metafiles describe them.

    Args:
        *words (str): Each of them is a part of the name, the task, a data
            set, or is 'published' or 'measured'. Without any, all recipes
            are found.

    Returns:
        list[Recipe]: By name.
    """
    found = []
    for file in sorted(shipped('configs').glob('*/metafile.yml')):
        content = yaml.safe_load(file.read_text())
        found += [_recipe(model) for model in content.get('Models') or ()]
    return [recipe for recipe in found if _has_all(recipe, words)]


def _recipe(model: Dict[str, Any]) -> Recipe:
    results = model.get('Results') or []
    measured = str(model.get('Measured') or '')
    return Recipe(
        name=model['Name'],
        task=results[0]['Task'] if results else '',
        datasets=tuple(result['Dataset'] for result in results),
        published=tuple(
            f'{result["Dataset"]} {value["Value"]} (Table {value["Table"]})'
            for result in results
            for value in result.get('Published', ())
        ),
        measured='' if measured == 'not measured' else measured,
    )


def _has_all(recipe: Recipe, words: Tuple[str, ...]) -> bool:
    text = ' '.join(
        [
            recipe.name,
            recipe.task,
            *recipe.datasets,
            'published' if recipe.published else '',
            'measured' if recipe.measured else '',
        ]
    ).lower()
    return all(word.lower() in text for word in words)
