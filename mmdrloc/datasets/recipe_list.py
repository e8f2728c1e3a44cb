"""The recipes of this project, listed and searched."""

import os
import re
from functools import cache
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Sequence, Tuple

from mmdrloc.reporting.metrics import by_key
from mmdrloc.reporting.published import load_published
from mmdrloc.utils.paths import recipe_names, shipped
from .catalog import CATALOG

# Parts of a name, between which `_` stands: what the network is put into or
# through, and the methods. The first that is neither is the network.
FRAMES = ('mask-rcnn', 'cascade-mask-rcnn', 'upernet', 'finetune')
METHODS = re.compile(
    r'((dense-)?drloc|idmm|mae|dino(?!v2-)|mocov|simclr|supcon)[\w-]*'
)
TASKS = {
    'classification': 'Image Classification',
    'detection': 'Instance Segmentation',
    'segmentation': 'Semantic Segmentation',
}
BLOCK = re.MULTILINE | re.DOTALL


class Recipe(NamedTuple):
    """What is known of a recipe.

    ``datasets`` are those on which something is published, or its own;
    ``published`` has values with datasets, tables, weights and options;
    ``measured`` says what was measured here, and is empty if nothing was.
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
        return next(p for p in _parts(self.name) if p not in known)

    @property
    def methods(self) -> Tuple[str, ...]:
        """Such as ``drloc``; none of a baseline."""
        return methods_of(self.name)

    @property
    def words(self) -> str:
        """What is searched, in small letters."""
        words = [self.name, self.task, *self.datasets, *self.published]
        words += ['published'] * bool(self.published)
        words += ['measured'] * bool(self.measured)
        return ' '.join(words).lower()


def methods_of(name: str) -> Tuple[str, ...]:
    """The methods that the name of a recipe has."""
    return tuple(filter(METHODS.fullmatch, _parts(name)))


def is_pretraining(name: str) -> bool:
    """Whether a recipe is a pre-training, which has no accuracy."""
    return any('drloc' not in method for method in methods_of(name))


def _parts(name: str) -> List[str]:
    return name.split('/')[-1].split('_')


def recipes(*words: str) -> List[Recipe]:
    """Find recipes by words, in the order of their names.

    Each word is a folder of recipes, or a part of the name, the task or a
    dataset, or is 'published' or 'measured'; without any, all are found.
    """
    configs = shipped('configs')
    published = load_published(configs / 'published.yml')['records']
    records = by_key((record['recipe'], record) for record in published)
    names = recipe_names()
    folders = {name.split('/')[0] for name in names}
    asked = [word.lower().rstrip('/') for word in words]
    within = [f'{word}/' for word in asked if word in folders]
    found = (
        _recipe(name, configs / f'{name}.py', records.get(name, []))
        for name in names
        if all(name.startswith(folder) for folder in within)
    )
    return [r for r in found if all(word in r.words for word in asked)]


def bases_of(path: Path) -> List[Path]:
    """The files that a config inherits from directly, as its text says."""
    text = path.read_text(encoding='utf-8', errors='replace')
    # Up to the next line that begins at its margin.
    said = re.search(r'^_base_ *=(.*?)(?:^(?![\s\])])|\Z)', text, BLOCK)
    names = re.findall(r'[\'"]([^\'"]+\.py)[\'"]', said[1]) if said else ()
    places = [Path(os.path.abspath(path.parent / name)) for name in names]
    return [place for place in places if place.is_file()]


@cache
def default_dataset(path: Path) -> str:
    """The name of the dataset that a config or one of its bases has."""
    named = re.search(r"^dataset_name = '(.+)'", path.read_text(), re.M)
    found = map(default_dataset, bases_of(path))
    return named[1] if named else next(filter(None, found), '')


def _recipe(
    name: str, path: Path, records: Sequence[Dict[str, Any]]
) -> Recipe:
    usual = default_dataset(path)
    text = path.read_text()
    measured = re.search(r'^# Measured: (.*(?:\n#  +.*)*)', text, re.M)
    names = dict.fromkeys(r['dataset'] for r in records) or [usual]
    return Recipe(
        name=name,
        task='Self-Supervised Learning'
        if is_pretraining(name)
        else TASKS[CATALOG[usual]['task']],
        datasets=tuple(CATALOG[data]['dataset_title'] for data in names),
        published=tuple(map(_value, records)),
        measured=re.sub(r'\n#\s+', ' ', measured[1]) if measured else '',
    )


def _value(record: Dict[str, Any]) -> str:
    """A published value, and what it needs besides its recipe."""
    metric = record.get('metric', 'Top 1 Accuracy')
    words = [metric, f'Table {record["table"]}']
    start = record.get('weights')
    if isinstance(start, dict):
        start = f'{start["recipe"]} on {start["dataset"]}'
    words += [f'from {start}'] if start else []
    for key, value in record.get('options', {}).items():
        words.append(f'{key.split(".")[-1]}={value}')
    title = CATALOG[record['dataset']]['dataset_title']
    return f'{title} {record["value"]} ({", ".join(words)})'
