"""A dataset of one's choice: its name, a file, or a folder of images."""

import copy
import os
import re
from pathlib import Path
from typing import Any, Dict, List, Tuple, Union

from mmengine.config import Config

from mmdrloc.utils.errors import (
    UsageError,
    counted,
    did_you_mean,
    first_line,
)
from mmdrloc.utils.patches import find_mmseg_configs
from mmdrloc.utils.paths import recipe_file
from .catalog import CATALOG, Description
from .folders import classes, coco, label_maps

# What a file that describes a dataset says.
PARTS = ('train_dataset', 'val_dataset')
NEEDED = ('task', 'dataset_name', 'num_classes', *PARTS)
LAYOUTS = dict(
    classification=classes.describe,
    detection=coco.describe,
    segmentation=label_maps.describe,
)
# With fewer images, what comes out depends on which ones there are.
FEW_A_CLASS, FEW_TO_VALIDATE = 10, 50


def choose(
    wanted: str, task: str, labels: bool = True
) -> Tuple[Description, List[str]]:
    """Find a dataset by its name, a file or a folder, and what to know of it.

    Args:
        wanted (str): The name, the file or the folder.
        task (str): 'classification', 'detection' or 'segmentation'.
        labels (bool): Whether images need them; otherwise a folder without
            class folders will do. Defaults to True.

    Raises:
        UsageError: If there is none, or it is not for the task.
    """
    known = CATALOG.get(wanted, {})
    # By the name that was given: links keep theirs.
    place = Path(os.path.abspath(Path(wanted).expanduser()))
    notes: List[str] = []
    if 'num_classes' in known:
        data = dict(copy.deepcopy(known), dataset_name=wanted)
        if place.is_dir():
            notes = [
                f'{wanted} is a dataset of this project; for the folder of '
                f'that name write ./{wanted}.'
            ]
    elif place.is_dir():
        data, notes = _folder(place, task, labels)
    elif place.is_file():
        data = _file(place)
    else:
        beside = map(str, Path(wanted).expanduser().parent.glob('*/'))
        raise UsageError(
            f'there is no dataset, file or folder {wanted}'
            f'{did_you_mean(wanted, {*CATALOG, *beside} - {wanted})}'
        )
    if data['task'] != task:
        raise UsageError(
            f'--dataset {wanted} is for {data["task"]}, and this config does '
            f'{task}: choose other data or another recipe.'
        )
    if 'recipe' in data:  # whose datasets it has, without their pipelines
        cfg = read_config(data.pop('recipe'))
        for key, loader in zip(PARTS, ('train', 'val')):
            data[key] = cfg[f'{loader}_dataloader'].dataset.to_dict()
            del data[key]['pipeline']
    if 'num_classes' not in known:
        data['dataset_path'] = str(place)
    summary = f'dataset {data["dataset_name"]}: '
    summary += counted(data['num_classes'], 'class')
    for key, use in (('num_train', 'training'), ('num_val', 'validation')):
        if data.get(key):
            summary += f', {data[key]:,} {use} images'
    return data, [f'{summary}.', *notes]


def _folder(
    folder: Path, task: str, labels: bool
) -> Tuple[Description, List[str]]:
    """Describe class folders, COCO or label maps."""
    if labels:
        data, notes = LAYOUTS[task](folder)
    else:
        data, notes = classes.describe(folder, labels=False)
    smallest, num_val = data.pop('smallest', FEW_A_CLASS), data['num_val']
    few = [f'{smallest} of the smallest class'] * (smallest < FEW_A_CLASS)
    few += [f'{num_val} for validation'] * (num_val < FEW_TO_VALIDATE)
    if few:
        notes.append(
            f'few images in {folder} ({", ".join(few)}): results will vary '
            'much from seed to seed, compare several.'
        )
    name = re.sub(r'[^\w.-]+', '-', folder.name)
    data.update(task=task, dataset_name=name, dataset_title=folder.name)
    return data, notes


def _file(file: Path) -> Description:
    data: Dict[str, Any] = read_config(file).to_dict()
    missing = [name for name in NEEDED if data.get(name) is None]
    if missing:
        raise UsageError(
            f'{file} does not describe a dataset: it lacks '
            f'{", ".join(missing)}; docs/for_photos.md shows how it is done.'
        )
    return data


def read_config(path: Union[str, Path]) -> Config:
    """Read a config file, or a recipe by its name.

    In Python it is a program, and runs; what it reads is read as data within
    :func:`mmdrloc.checkpoints.reading.files_as_data`.

    Raises:
        UsageError: If there is no such file or it cannot be read.
    """
    path = recipe_file(path)
    find_mmseg_configs()
    try:
        return Config.fromfile(path)
    except ImportError as error:
        # MMEngine's own words have not the first cause.
        while isinstance(error.__context__, ImportError):
            error = error.__context__
        raise UsageError(
            f'cannot read the config {path}: {first_line(error)}: install '
            'it, or name its folder in PYTHONPATH.'
        ) from error
    # A config is a program: anything can happen.
    except (Exception, SystemExit) as error:
        raise UsageError(
            f'cannot read the config {path}: {type(error).__name__}: '
            f'{first_line(error)}'
        ) from error
