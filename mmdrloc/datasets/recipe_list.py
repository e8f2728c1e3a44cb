"""The recipes of this project, listed and searched."""

import re
from typing import Any, Dict, List, NamedTuple, Tuple

import yaml

from mmdrloc.utils.paths import shipped

# Parts of a name, between which `_` stands: what the network is put into, and
# the methods. The first that is neither is the network.
FRAMES = ('mask-rcnn', 'cascade-mask-rcnn', 'upernet')
METHODS = re.compile(
    r'((dense-)?drloc|idmm|mae|dino|mocov|simclr|supcon)[\w-]*'
)


class Recipe(NamedTuple):
    """What is known of a recipe.

    Args:
        name (str): What commands call it, such as
            ``scratch_100e/swin-tiny_drloc``.
        task (str): Such as 'Image Classification'.
        datasets (tuple[str, ...]): On which something is published or
            measured.
        published (tuple[str, ...]): Values with data sets, tables, weights
            and options.
        measured (str): What was measured here; empty if nothing was.
    """

    name: str
    task: str
    datasets: Tuple[str, ...]
    published: Tuple[str, ...]
    measured: str

    @property
    def network(self) -> str:
        """Such as ``swin-tiny``."""
        known = {*FRAMES, *self.methods}
        return next(part for part in self._parts if part not in known)

    @property
    def methods(self) -> Tuple[str, ...]:
        """Such as ``drloc``; none of a baseline."""
        return tuple(filter(METHODS.fullmatch, self._parts))

    @property
    def words(self) -> str:
        """What is searched, in small letters."""
        words = [self.name, self.task, *self.datasets, *self.published]
        words += ['published'] * bool(self.published)
        words += ['measured'] * bool(self.measured)
        return ' '.join(words).lower()

    @property
    def _parts(self) -> List[str]:
        return self.name.split('/')[-1].split('_')


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
        found += [_recipe(model) for model in content['Models']]
    return [
        recipe
        for recipe in found
        if all(word.lower() in recipe.words for word in words)
    ]


def _recipe(model: Dict[str, Any]) -> Recipe:
    results = model['Results']
    return Recipe(
        name=model['Name'],
        task=results[0]['Task'],
        datasets=tuple(result['Dataset'] for result in results),
        published=tuple(
            f'{result["Dataset"]} {value} ({name})'
            for result in results
            for name, value in result['Metrics'].items()
        ),
        measured=model['Metadata'].get('Measured', ''),
    )
