"""Where a file of weights that is not there can be had."""

import os
from functools import cache
from pathlib import Path
from typing import Dict, List, NamedTuple, Optional, Union

import yaml
from mmengine.config import Config

from mmdrloc.datasets.catalog import CATALOG
from mmdrloc.models.pretrained import open_entries
from mmdrloc.utils.paths import shipped

PUBLISHED = 'published.yml'


class Training(NamedTuple):
    """What fills a work folder.

    Args:
        recipe (Path): The config.
        dataset (str, optional): Of ``--dataset``.
    """

    recipe: Path
    dataset: Optional[str]


def how_to_get(path: Union[str, Path]) -> str:
    """Say how weights are made or where they are published.

    Args:
        path (str | Path): A checkpoint or a work folder that is not there.

    Returns:
        str: To follow 'X is not there', without a full stop.
    """
    path = Path(path)
    configs = _configs()
    address = configs and _published(configs).get(path.name)
    if address:
        return f': download it from {address}'
    trainings = _trainings(configs, path) if configs else []
    if trainings:
        commands = ' or '.join(map(_command, trainings))
        return f': make it with {commands}'
    return ': correct the path'


def _configs() -> Optional[Path]:
    """The folder of the recipes: of this place, or as installed."""
    places = Path('configs'), shipped('configs')
    return next((f for f in places if (f / PUBLISHED).is_file()), None)


def _published(configs: Path) -> Dict[str, str]:
    """Addresses by the names of files that other authors offer."""
    try:
        content = yaml.safe_load((configs / PUBLISHED).read_text())
    except (OSError, yaml.YAMLError):
        return {}
    weights = content.get('weights') if isinstance(content, dict) else None
    return weights if isinstance(weights, dict) else {}


def _trainings(configs: Path, path: Path) -> List[Training]:
    """The trainings whose work folder has this name."""
    folder = path.parent if path.suffix else path
    found = []
    for recipe in sorted(configs.rglob('*.py')):
        if '_base_' in recipe.relative_to(configs).parts:
            continue
        if folder.name == recipe.stem:
            found.append(Training(recipe, None))
        elif folder.name.startswith(f'{recipe.stem}_'):
            dataset = folder.name[len(recipe.stem) + 1 :]
            if dataset in CATALOG:
                found.append(Training(recipe, dataset))
    return _of_that_length(found, path) if len(found) > 1 else found


def _of_that_length(trainings: List[Training], path: Path) -> List[Training]:
    """Of several, those that end with this checkpoint."""
    ends = []
    for training in trainings:
        length = (_config(training).get('train_cfg') or {}).get('max_epochs')
        if path.name == f'epoch_{length}.pth':
            ends.append(training)
    return ends or trainings


@cache
def _config(training: Training) -> Config:
    from mmdrloc.datasets.recipes import read_recipe

    return read_recipe(*training)


def _command(training: Training) -> str:
    recipe = Path(os.path.relpath(training.recipe))
    if len(recipe.parts) > len(training.recipe.parts):
        recipe = training.recipe
    words = ['python tools/train.py', recipe.as_posix()]
    if training.dataset:
        words.append(f'--dataset {training.dataset}')
    if not any(True for _ in open_entries(_config(training).get('model'))):
        return f'`{" ".join(words)}`'
    words.append('--weights FILE')
    return f'`{" ".join(words)}` (it starts from weights itself)'
