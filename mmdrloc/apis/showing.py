"""What the recipes are, in words: ``mmdrloc recipes`` and ``mmdrloc show``."""

import re
from itertools import groupby
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from mmdrloc.datasets.recipe_list import Recipe, recipes
from mmdrloc.utils.errors import UsageError, few, nearest

# The folders that most people look for come first.
FIRST = ('quickstart', 'photos', 'evidence', 'scratch_100e')
# Steps of a pipeline that change no image.
PLAIN = re.compile(r'(Load\w*|Pack\w*|Collect|ToTensor|LoadAnnotations)')
CROPS = re.compile(r'\w*(Crop|Resize\w*|ResizeEdge)')
# So many published values are shown.
VALUES = 4


def list_recipes(words: Sequence[str]) -> str:
    """List the recipes, or those that match all of some words.

    Args:
        words (Sequence[str]): Parts of a name, a task or a dataset.

    Returns:
        str: Without words a line for each network; with words a line for
        each recipe, and what is measured and published.

    Raises:
        UsageError: If nothing matches.
    """
    found = recipes(*words)
    if not found:
        raise UsageError(_nothing(words))
    return '\n'.join(_matches(found) if words else _table(found))


def _table(found: Sequence[Recipe]) -> Iterator[str]:
    by_task: Dict[str, List[Recipe]] = {'Image Classification': []}
    for recipe in found:
        by_task.setdefault(recipe.task or 'Other', []).append(recipe)
    for task, those in by_task.items():
        yield f'{task} (m: measured here, p: published)'
        for (folder, network), group in groupby(
            sorted(those, key=_place), lambda r: _place(r)[1:]
        ):
            variants = [*group]
            marks = 'm' * any(r.measured for r in variants)
            marks += 'p' * any(r.published for r in variants)
            names = [r.name.split('/')[-1] for r in variants]
            yield f'  {folder:<16}{network:<18}{marks:<4}{few(names, 3)}'
        yield ''
    yield 'mmdrloc recipes WORD ... searches; mmdrloc show NAME says more.'


def _place(recipe: Recipe) -> Tuple[int, str, str]:
    folder = recipe.name.rpartition('/')[0]
    order = FIRST.index(folder) if folder in FIRST else len(FIRST)
    return order, folder, recipe.network


def _matches(found: Sequence[Recipe]) -> Iterator[str]:
    for recipe in found:
        told = [recipe.measured] if recipe.measured else []
        if recipe.published:
            told.append(f'{len(recipe.published)} published values')
        yield f'{recipe.name:<45}{"; ".join(told)}'.rstrip()
    if len(found) > 1:
        yield f'{len(found)} recipes; mmdrloc show NAME says more.'


def _nothing(words: Sequence[str]) -> str:
    """Which of the words has no match, or that they have none in common."""
    for word in words:
        if not recipes(word):
            known = {w for r in recipes() for w in re.split(r'\W', r.words)}
            near = nearest(word, known, 0.6)
            meant = f'; did you mean {near}?' if near else '.'
            return f'no recipe has the word {word}{meant}'
    counts = [f'{len(recipes(word))} have {word}' for word in words]
    return f'no recipe has all of these words: {", ".join(counts)}.'


def show(
    recipe: Union[str, Path], dataset: Union[None, str, Path] = None
) -> str:
    """Print a recipe's settings, with published and measured values.

    Args:
        recipe (str | Path): A config, or the name of a recipe.
        dataset (str | Path, optional): As ``train`` takes it.

    Returns:
        str: A setting a line.

    Raises:
        UsageError: If the config or the data cannot be read.
    """
    # MMEngine imports torch, which a list of recipes does without.
    from mmdrloc.datasets.recipes import read_recipe

    cfg = read_recipe(recipe, str(dataset) if dataset else None)
    told = dict(_settings(cfg))
    known = next((r for r in recipes() if r.name == cfg.run.recipe), None)
    told['measured'] = known and known.measured
    values = known.published if known else ()
    own = [v for v in values if v.startswith(f'{cfg.get("dataset_title")} ')]
    others = [v for v in values if v not in own]
    told['published'] = few([*own, *others], VALUES) if values else None
    return '\n'.join(
        f'{name + ":":<16}{_short(value)}'
        for name, value in told.items()
        if value not in (None, '', [])
    )


def _settings(cfg: Any) -> Iterator[Tuple[str, Any]]:
    """What a config says, by names of the field."""
    model, run = cfg.model, cfg.run
    yield 'recipe', run.recipe
    yield 'model', model.type
    yield 'network', _kind(model.get('backbone'))
    for key in ('auxiliary_head', 'drloc_head'):
        head = model.get(key)
        if isinstance(head, dict) and 'DRLoc' in str(head.get('type')):
            pairs = (
                f'{head.get("num_pairs", 64)} pairs of {head.get("source")}'
            )
            yield 'DRLoc', f'{_kind(head.get("loss"))}; {pairs}'
    yield 'baseline', run.baseline
    yield 'starts from', cfg.get('load_from') or _pretrained(model)
    counts = [cfg.get('num_train'), cfg.get('num_val')]
    sizes = ''  # of one's own photos, the recipe knows no number
    if all(counts):
        sizes = ', {:,} images to train, {:,} to validate'.format(*counts)
    yield 'dataset', f'{run.dataset}{sizes}'
    loader = cfg.train_dataloader
    dataset = loader.dataset
    while 'dataset' in dataset:
        dataset = dataset.dataset
    steps = [*dataset.get('pipeline', ())]
    crops = [s for s in steps if CROPS.fullmatch(_name(s))]
    yield 'crop', ', '.join(map(_kind, crops))
    augments = [
        _name(s)
        for s in steps
        if s not in crops and not PLAIN.fullmatch(_name(s))
    ]
    mixing = (model.get('train_cfg') or {}).get('augments') or []
    mixing = mixing if isinstance(mixing, list) else [mixing]
    yield 'augmentation', ', '.join([*augments, *map(_name, mixing)])
    yield 'batch size', f'{loader.get("batch_size")} images a process'
    wrapper = cfg.optim_wrapper
    optimizer = wrapper.get('optimizer') or {}
    yield 'optimizer', optimizer.get('type')
    yield 'learning rate', optimizer.get('lr')
    yield 'weight decay', optimizer.get('weight_decay')
    schedulers = cfg.get('param_scheduler') or []
    if isinstance(schedulers, dict):
        schedulers = [schedulers]
    for schedule in schedulers:
        name = 'warm-up' if 'Linear' in schedule.type else 'schedule'
        unit = 'epoch' if schedule.get('by_epoch', True) else 'iteration'
        places = [schedule.get('begin', 0), schedule.get('end', 'the end')]
        if 'milestones' in schedule:
            places = [', '.join(map(str, schedule.milestones))]
        yield name, f'{schedule.type}, {unit} {" to ".join(map(str, places))}'
    length = cfg.get('train_cfg') or {}
    unit = 'iters' if length.get('max_iters') else 'epochs'
    yield unit, length.get(f'max_{unit}')
    yield 'seed', (cfg.get('randomness') or {}).get('seed')


def _pretrained(model: Any) -> Optional[str]:
    start = (model.get('backbone') or {}).get('init_cfg') or {}
    return start.get('checkpoint') if isinstance(start, dict) else None


def _name(node: Any) -> str:
    return str(node.get('type')).rpartition('.')[2]


def _kind(node: Any) -> str:
    """A type, and the settings of it that are plain values."""
    if not isinstance(node, dict):
        return ''
    plain = [
        f'{key}={value}'
        for key, value in node.items()
        if key not in ('type', 'backend') and not isinstance(value, dict)
    ]
    return f'{_name(node)}({", ".join(plain)})'


def _short(value: Any, most: int = 200) -> str:
    text = str(value)
    return text if len(text) <= most else f'{text[:most]} ...'
