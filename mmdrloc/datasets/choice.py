"""A dataset of one's choice: its name, a file, or a folder of images."""

import copy
import difflib
import os
import re
from pathlib import Path
from typing import Any, Dict, List, Tuple

from mmengine.config import Config

from mmdrloc.utils.errors import UsageError, first_line
from . import folders
from .catalog import CATALOG, Description

# What a file that describes a dataset says.
NEEDED = (
    'task',
    'dataset_name',
    'num_classes',
    'train_dataset',
    'val_dataset',
)
BOXES = dict(metric=['bbox'])
# What takes the place of options wherever a config has them.
NO_MASKS = dict(with_mask=False, mask_head=None)
LABEL_0 = 'reduce_zero_label'
TASKS = ('classification', 'detection', 'segmentation')


def choose(wanted: str, task: str) -> Tuple[Description, List[str]]:
    """Find a dataset for a task.

    Args:
        wanted (str): Its name in :data:`CATALOG`, a file that describes one,
            or a folder of images.
        task (str): 'classification', 'detection' or 'segmentation'.

    Returns:
        tuple[dict, list[str]]: Its description, and what the user should
        know of it.

    Raises:
        UsageError: If there is none, or it is for another task.
    """
    known = CATALOG.get(wanted, {})
    place = Path(known.get('folder', wanted)).expanduser().resolve()
    notes: List[str] = []
    if 'num_classes' in known:
        data = dict(copy.deepcopy(known), dataset_name=wanted)
    elif place.is_dir():
        data, notes = folders.describe(place, task)
        name = re.sub(r'[^\w.-]+', '-', place.name)
        title = known.get('dataset_title', place.name)
        data.update(dataset_name=name, dataset_title=title)
    elif place.is_file():
        data = _read(place)
    else:
        raise UsageError(_nothing(wanted, task))
    if data.setdefault('task', task) != task:
        raise UsageError(
            f'--dataset {wanted} is for {data["task"]}, and this config does '
            f'{task}: choose other data or another recipe.'
        )
    if task == 'detection':
        data['metric'] = _coco_metric(data)
        data['options'] = {} if data.get('has_masks', True) else NO_MASKS
    elif task == 'segmentation':
        data['options'] = {LABEL_0: data[LABEL_0]}
    if not known:
        data['dataset_path'] = str(place)
    counts = [f'{data["num_classes"]} classes']
    for key, use in (('num_train', 'train'), ('num_val', 'validate')):
        if data.get(key):
            counts.append(f'{data[key]:,} images to {use} on')
    summary = f'dataset {data["dataset_name"]}: {", ".join(counts)}.'
    return data, [summary, *notes]


def _coco_metric(data: Description) -> Dict[str, Any]:
    """What COCO's metric reads, and that it measures no masks without any."""
    val = data['val_dataset']
    inside = os.path.join(val.get('data_root') or '', val.get('ann_file', ''))
    options = dict(ann_file=data.get('val_ann_file') or inside)
    return options if data.get('has_masks', True) else {**options, **BOXES}


def _read(file: Path) -> Description:
    try:
        data = Config.fromfile(file).to_dict()
    # A config is a program: anything can happen.
    except (Exception, SystemExit) as error:
        raise UsageError(
            f'cannot read the dataset {file}: {type(error).__name__}: '
            f'{first_line(error)}.'
        ) from error
    needed = [*NEEDED]
    if data.get('task') == 'segmentation':
        needed.append('reduce_zero_label')
    missing = [name for name in needed if data.get(name) is None]
    fault = f'it lacks {", ".join(missing)}' if missing else ''
    if not missing and data['task'] not in TASKS:
        fault = f'its task is none of {", ".join(TASKS)}'
    if fault:
        raise UsageError(
            f'{file} does not describe a dataset: {fault}; '
            'docs/for_photos.md shows how it is done.'
        )
    return data


def _nothing(wanted: str, task: str) -> str:
    names = [name for name in CATALOG if CATALOG[name]['task'] == task]
    path = Path(wanted).expanduser()
    beside = [str(entry) for entry in path.parent.glob('*') if entry.is_dir()]
    near = difflib.get_close_matches(wanted, [*names, *beside])
    meant = f' (did you mean {" or ".join(near)}?)' if near else ''
    return (
        f'there is no dataset, file or folder {wanted}{meant}: give a folder '
        'of images, a file that describes a dataset, or a name such as '
        f'{", ".join(names[:4])}.'
    )
