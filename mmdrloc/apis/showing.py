"""List and describe recipes: ``mmdrloc recipes`` and ``mmdrloc show``."""

import re
from itertools import groupby
from pathlib import Path
from textwrap import shorten
from typing import Any, Iterator, Optional, Sequence, Tuple, Union

from mmdrloc.datasets.recipe_list import Recipe, recipes
from mmdrloc.utils.errors import UsageError, did_you_mean, few

# Folders that are listed first.
FIRST = ['quickstart', 'photos', 'evidence', 'scratch_100e']
# Steps of a pipeline that change no image.
PLAIN = re.compile(r'Load\w*|Pack\w*|Collect|ToTensor')
# Settings that are shown of networks, losses, steps and schedules.
SHOWN = """
    arch img_size source num_pairs signed loss_weight
    scale lr weight_decay begin end by_epoch
""".split()
# How many published values, and characters of a setting, are shown.
VALUES, LONGEST = 4, 200


def list_recipes(words: Sequence[str]) -> str:
    """List the recipes, or those that match all of some words.

    Without words there is a line for each network; with words one for each
    recipe, with what is measured and published.

    Raises:
        UsageError: If nothing matches.
    """
    found = recipes(*words)
    if found:
        return '\n'.join(_matches(found) if words else _table(found))
    known = {w for r in recipes() for w in re.split(r'\W', r.words)}
    unknown = [word for word in words if not recipes(word)]
    meant = did_you_mean(unknown[0], known) if unknown else '.'
    raise UsageError(f'no recipe has {" and ".join(unknown or words)}{meant}')


def _table(found: Sequence[Recipe]) -> Iterator[str]:
    for task, of_task in groupby(sorted(found, key=_place), _task):
        yield f'{task} (m: measured here, p: published)'
        for (*_, folder, network), group in groupby(of_task, _place):
            variants = [*group]
            marks = 'm' * any(r.measured for r in variants)
            marks += 'p' * any(r.published for r in variants)
            names = [r.name.split('/')[-1] for r in variants]
            yield f'  {folder:<16}{network:<18}{marks:<4}{few(names, 3)}'
        yield ''
    yield 'mmdrloc recipes WORD ... searches; mmdrloc show NAME says more.'


def _task(recipe: Recipe) -> str:
    return recipe.task or 'Other'


def _place(recipe: Recipe) -> Tuple[bool, str, int, str, str]:
    folder = recipe.name.rpartition('/')[0]
    order = [*FIRST, folder].index(folder)
    task = _task(recipe)
    classifies = task == 'Image Classification'
    return not classifies, task, order, folder, recipe.network


def _matches(found: Sequence[Recipe]) -> Iterator[str]:
    for recipe in found:
        told = [recipe.measured] if recipe.measured else []
        if recipe.published:
            told.append(f'{len(recipe.published)} published values')
        yield f'{recipe.name:<45}{"; ".join(told)}'.rstrip()
    if len(found) > 1:
        yield f'{len(found)} recipes; mmdrloc show NAME says more.'


def show(
    recipe: Union[str, Path], dataset: Union[None, str, Path] = None
) -> str:
    """Describe a recipe: its settings, with published and measured values.

    Raises:
        UsageError: If the config or the data cannot be read.
    """
    # Imported here: it imports torch, which a list of recipes needs not.
    from mmdrloc.datasets.recipes import read_recipe

    cfg = read_recipe(recipe, str(dataset) if dataset else None)
    told = dict(_settings(cfg))
    known: Optional[Recipe]
    known = next((r for r in recipes() if r.name == cfg.run.recipe), None)
    if known:
        title = f'{cfg.get("dataset_title")} '
        # Values for the same data first.
        values = sorted(known.published, key=lambda v: not v.startswith(title))
        told.update(measured=known.measured, published=few(values, VALUES))
    return '\n'.join(
        f'{name + ":":<16}{shorten(str(value), LONGEST, placeholder=" ...")}'
        for name, value in told.items()
        if value not in (None, '', [])
    )


def _settings(cfg: Any) -> Iterator[Tuple[str, Any]]:
    """Go through what a config says, by the usual names."""
    model, run, loader = cfg.model, cfg.run, cfg.train_dataloader
    backbone = model.get('backbone') or {}
    yield 'recipe', run.recipe
    yield 'model', model.type
    yield 'network', _kind(backbone)
    head = model.get('auxiliary_head') or model.get('drloc_head') or {}
    if 'DRLoc' in str(head.get('type')):
        yield 'DRLoc', f'{_kind(head)} with {_kind(head.get("loss"))}'
    yield 'baseline', run.baseline
    start = backbone.get('init_cfg')
    start = start.get('checkpoint') if isinstance(start, dict) else None
    yield 'starts from', cfg.get('load_from') or start
    sizes = ''  # unknown for one's own photos
    if cfg.get('num_train') and cfg.get('num_val'):
        sizes = f', {cfg.num_train:,} images to train, {cfg.num_val:,} to '
        sizes += 'validate'
    yield 'dataset', f'{run.dataset}{sizes}'
    data = loader.dataset
    while 'dataset' in data:
        data = data.dataset
    steps = [*data.get('pipeline', ())]
    mixing = (model.get('train_cfg') or {}).get('augments') or []
    steps += mixing if isinstance(mixing, list) else [mixing]
    names = [_kind(s) for s in steps if not PLAIN.match(_name(s))]
    yield 'augmentation', ', '.join(names)
    yield 'batch size', f'{loader.get("batch_size")} images a process'
    optimizer = cfg.optim_wrapper.get('optimizer') or {}
    yield 'optimizer', _kind(optimizer)
    schedulers = cfg.get('param_scheduler') or []
    if isinstance(schedulers, dict):
        schedulers = [schedulers]
    yield 'schedule', ', '.join(map(_kind, schedulers))
    for unit in ('epochs', 'iters'):
        yield unit, (cfg.get('train_cfg') or {}).get(f'max_{unit}')
    yield 'seed', (cfg.get('randomness') or {}).get('seed')


def _name(node: Any) -> str:
    return str(node.get('type')).rpartition('.')[2]


def _kind(node: Any) -> str:
    """A type with the settings that are shown."""
    told = [f'{key}={node[key]}' for key in SHOWN if key in node]
    return f'{_name(node)}({", ".join(told)})' if told else _name(node)
