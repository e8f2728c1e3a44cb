"""A dataset of one's choice: its name, a file, or a folder of images."""

import copy
import re
from pathlib import Path
from typing import Any, Dict, List, Tuple

from mmengine.config import Config

from mmdrloc.utils.errors import UsageError, did_you_mean, first_line
from mmdrloc.utils.paths import find_recipe
from . import folders
from .catalog import CATALOG, Description

# What a file that describes a dataset says.
PARTS = ('train_dataset', 'val_dataset')
NEEDED = ('task', 'dataset_name', 'num_classes', *PARTS)


def choose(wanted: str, task: str) -> Tuple[Description, List[str]]:
    """Find a dataset by its name, a file or a folder, and what to know of it.

    Raises:
        UsageError: If there is none, or it is not for the task,
            'classification', 'detection' or 'segmentation'.
    """
    known = CATALOG.get(wanted, {})
    place = Path(wanted).expanduser().resolve()
    notes: List[str] = []
    if 'num_classes' in known:
        data = dict(copy.deepcopy(known), dataset_name=wanted)
    elif place.is_dir():
        data, notes = folders.describe(place, task)
        name = re.sub(r'[^\w.-]+', '-', place.name)
        data.update(task=task, dataset_name=name, dataset_title=place.name)
    elif place.is_file():
        data = _read(place)
    else:
        beside = map(str, Path(wanted).expanduser().parent.glob('*/'))
        raise UsageError(
            f'there is no dataset, file or folder {wanted}'
            f'{did_you_mean(wanted, [*CATALOG, *beside])}'
        )
    if data['task'] != task:
        raise UsageError(
            f'--dataset {wanted} is for {data["task"]}, and this config does '
            f'{task}: choose other data or another recipe.'
        )
    if 'recipe' in data:
        data.update(_data_of(data.pop('recipe')))
    if 'num_classes' not in known:
        data['dataset_path'] = str(place)
    summary = f'dataset {data["dataset_name"]}: {data["num_classes"]} classes'
    for key, use in (('num_train', 'train'), ('num_val', 'validate')):
        if data.get(key):
            summary += f', {data[key]:,} images to {use} on'
    return data, [f'{summary}.', *notes]


def _data_of(recipe: str) -> Dict[str, Any]:
    """The datasets of a recipe, without their pipelines."""
    cfg = Config.fromfile(find_recipe(recipe))
    loaders = (cfg.train_dataloader, cfg.val_dataloader)
    found = {k: one.dataset.to_dict() for k, one in zip(PARTS, loaders)}
    for dataset in found.values():
        dataset.pop('pipeline')
    return found


def _read(file: Path) -> Description:
    try:
        data = Config.fromfile(file).to_dict()
    # A config is a program: anything can happen.
    except (Exception, SystemExit) as error:
        raise UsageError(
            f'cannot read the dataset {file}: {type(error).__name__}: '
            f'{first_line(error)}.'
        ) from error
    missing = [name for name in NEEDED if data.get(name) is None]
    if missing:
        raise UsageError(
            f'{file} does not describe a dataset: it lacks '
            f'{", ".join(missing)}; docs/for_photos.md shows how it is done.'
        )
    return data
