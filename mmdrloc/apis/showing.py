"""List and describe recipes: ``mmdrloc recipes`` and ``mmdrloc show``."""

import re
from itertools import groupby
from textwrap import shorten
from typing import Any, Iterator, Optional, Sequence, Tuple

from mmdrloc.datasets.recipe_list import Recipe, recipes
from mmdrloc.utils.errors import UsageError, did_you_mean, few
from mmdrloc.utils.paths import Place

# Folders that are listed first.
FIRST = ['photos', 'quickstart', 'evidence', 'scratch_100e']
# How many published values, items and characters of a setting are shown.
VALUES, ITEMS, LONGEST = 4, 3, 600
# How long the lines of a list are, about.
LINE = 120
# Settings of a config, by the usual names.
SETTINGS = {
    'recipe': 'run.recipe',
    'model': 'model.type',
    'network': 'model.backbone',
    'baseline': 'run.baseline',
    'starts from': 'load_from',
    'of batches': 'model.train_cfg.augments',
    'batch size': 'train_dataloader.batch_size',
    'optimizer': 'optim_wrapper.optimizer',
    'schedule': 'param_scheduler',
    'epochs': 'train_cfg.max_epochs',
    'iterations': 'train_cfg.max_iters',
    'seed': 'randomness.seed',
}


def list_recipes(words: Sequence[str]) -> str:
    """List the recipes, or those that match all of some words.

    Without words there is a line for each network; with words one for each
    recipe, with what is measured and published.

    Raises:
        UsageError: If nothing matches.
    """
    found = sorted(recipes(*words), key=_place)
    if found:
        return '\n'.join(_matches(found, words) if words else _table(found))
    known = {w for r in recipes() for w in re.split(r'\W', r.words)}
    unknown = [word for word in words if not recipes(word)]
    meant = did_you_mean(unknown[0], known) if unknown else '.'
    raise UsageError(f'no recipe has {" and ".join(unknown or words)}{meant}')


def _table(found: Sequence[Recipe]) -> Iterator[str]:
    for task, of_task in groupby(found, lambda recipe: recipe.task):
        yield f'{task} (m: trained here and measured, p: published)'
        for (*_, folder, network), group in groupby(of_task, _place):
            variants = [*group]
            marks = 'm' * any(r.measured for r in variants)
            marks += 'p' * any(r.published for r in variants)
            names = [r.name.split('/')[-1] for r in variants]
            yield f'  {folder:<16}{network:<18}{marks:<4}{few(names, 3)}'
        yield ''
    yield 'mmdrloc recipes WORD ... searches; mmdrloc show NAME says more.'


def _place(recipe: Recipe) -> Tuple[bool, str, int, str, str]:
    folder = recipe.name.rpartition('/')[0]
    order = [*FIRST, folder].index(folder)
    classifies = recipe.task == 'Image Classification'
    return not classifies, recipe.task, order, folder, recipe.network


def _matches(found: Sequence[Recipe], words: Sequence[str]) -> Iterator[str]:
    """A line each; those whose names match come first."""
    width = max(len(recipe.name) for recipe in found)
    for recipe in sorted(
        found, key=lambda r: not all(w.lower() in r.name for w in words)
    ):
        trained = recipe.measured
        told = [f'trained here: {trained}' if trained else 'not trained here']
        if recipe.published:
            told.append(f'{len(recipe.published)} published values')
        line = shorten('; '.join(told), LINE - width, placeholder=' ...')
        yield f'{recipe.name:<{width}}  {line}'
    if len(found) > 1:
        yield f'{len(found)} recipes; mmdrloc show NAME says more.'


def show(recipe: Place, dataset: Optional[Place] = None) -> str:
    """Describe a recipe: its settings, with published and measured values.

    Raises:
        UsageError: If the config or the data cannot be read.
    """
    # Imported here: they import MMEngine, which a list of recipes needs not.
    from mmdrloc.checkpoints.reading import files_as_data
    from mmdrloc.datasets.recipes import read_recipe
    from mmdrloc.preflight.data import leaf_datasets
    from mmdrloc.utils.config_walk import at

    with files_as_data():
        cfg = read_recipe(recipe, str(dataset) if dataset else None)
    told = {name: at(cfg, key) for name, key in SETTINGS.items()}
    told['DRLoc'] = at(cfg, f'model.{cfg.run.head}')
    told['dataset'] = cfg.run.dataset
    if cfg.get('num_train') and cfg.get('num_val'):  # not one's own photos
        told['dataset'] += f', {cfg.num_train:,} training images'
        told['dataset'] += f', {cfg.num_val:,} validation images'
    data = next(leaf_datasets(cfg.train_dataloader.dataset))
    told['augmentation'] = data.get('pipeline')
    told['batch size'] = f'{told["batch size"]} a process'
    known = next((r for r in recipes() if r.name == cfg.run.recipe), None)
    if known:
        title = f'{cfg.get("dataset_title")} '
        # Values for the same data first.
        values = sorted(known.published, key=lambda v: not v.startswith(title))
        told['measured'] = known.measured or 'not trained here'
        told['published'] = few(values, VALUES)
    return '\n'.join(
        f'{name + ":":<16}{shorten(_text(value), LONGEST, placeholder=" ...")}'
        for name, value in told.items()
        if value not in (None, '', [])
    )


def _text(node: Any, most: int = 99) -> str:
    """A type with its settings; of a list in it the first few."""
    if isinstance(node, list):
        return few([_text(one, ITEMS) for one in node], most)
    if not isinstance(node, dict):
        return str(node)
    name = str(node.get('type', 'dict')).rpartition('.')[2]
    told = [
        f'{key}=[{_text(value, ITEMS)}]'
        if isinstance(value, list)
        else f'{key}={_text(value)}'
        for key, value in node.items()
        if key not in ('type', '_scope_')
    ]
    return f'{name}({", ".join(told)})' if told else name
