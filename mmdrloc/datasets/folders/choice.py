"""A data set of one's choice: its name, its file, or a folder of images."""

import difflib
import re
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, List, NamedTuple, Sequence

from mmengine.config import Config

from mmdrloc.utils.errors import UsageError, first_line
from . import class_folders, coco_folder, map_folder

# What the file of a data set says, by what its data are for.
NEEDED = (
    'task',
    'dataset_name',
    'num_classes',
    'train_dataset',
    'val_dataset',
)
NEEDED_FOR = dict(
    classification=(),
    detection=('val_ann_file',),
    segmentation=('reduce_zero_label',),
)
FOLDERS = dict(
    classification=class_folders.describe,
    detection=coco_folder.describe,
    segmentation=map_folder.describe,
)


class Chosen(NamedTuple):
    """A data set as MMEngine can read it.

    Args:
        file (Path): Its config.
        name (str): What it is in a record: one of ours by its name, others
            by their path.
        notes (list[str]): What the user should know of it.
    """

    file: Path
    name: str
    notes: List[str]


@contextmanager
def chosen_dataset(
    wanted: str, folder: Path, default: str, recipe: str
) -> Iterator[Chosen]:
    """Find a data set that fits a recipe.

    Args:
        wanted (str): Its name, a config, or a folder of images.
        folder (Path): Of the data sets that have names.
        default (str): The name of one that fits.
        recipe (str): What it is for, as messages name it.

    Yields:
        Chosen: Its file, which may be a temporary one.

    Raises:
        UsageError: If there is none, or it does not fit.
    """
    task = _read(folder / f'{default}.py').get('task')
    if task not in FOLDERS:
        raise UsageError(
            f'the data set {folder / default}.py, which {recipe} begins '
            'with, says no task: write task = one of '
            f'{", ".join(FOLDERS)} in it.'
        )
    place = Path(wanted).expanduser().resolve()
    name = wanted
    if place.is_file() and place.parent == folder.resolve():
        name = place.stem
    named = folder / f'{name}.py'
    if name == Path(name).name and named.is_file():
        _check_named(named, task, recipe)
        yield Chosen(named, name, [])
        return
    if not place.exists():
        raise UsageError(_nothing(wanted, _names_for(task, folder), task))
    with tempfile.TemporaryDirectory() as temporary:
        file = Path(temporary, 'dataset.py')
        notes: List[str] = []
        if place.is_dir():
            data = FOLDERS[task](place)
            variables = dict(
                task=task,
                dataset_name=re.sub(r'[^\w.-]+', '-', place.name),
                dataset_title=place.name,
                **data.variables,
            )
            notes = data.notes
        else:
            _check_own(place, task, recipe)
            # MMEngine puts a path into a file as it is, quotes and all.
            variables = dict(_base_=str(place))
        lines = [f'{name} = {value!r}\n' for name, value in variables.items()]
        file.write_text(''.join(lines), encoding='utf-8')
        yield Chosen(file, str(place), notes)


def _names_for(task: str, folder: Path) -> List[str]:
    """Those data sets with names that are for a task, sorted."""
    files = sorted(folder.glob('*.py'))
    return [file.stem for file in files if _read(file).get('task') == task]


def _check_named(file: Path, task: str, recipe: str) -> None:
    """Refuse a data set that has a name and is for another task."""
    found = _read(file).get('task')
    if found != task:
        names = _names_for(task, file.parent)
        raise UsageError(
            f'--dataset {file.stem} is for {found}, and {recipe} does '
            f'{task}: choose from {", ".join(names)}.'
        )


def _check_own(file: Path, task: str, recipe: str) -> None:
    """Refuse the file of a data set that lacks what recipes ask of it."""
    said = _read(file)
    found = said.get('task', task)
    missing = [
        name
        for name in (*NEEDED, *NEEDED_FOR.get(found, ()))
        if said.get(name) is None
    ]
    if missing:
        raise UsageError(
            f'{file} does not describe a data set for {found}: it lacks '
            f'{", ".join(missing)}; the files in configs/_base_/datasets show '
            'how it is done.'
        )
    if found != task:
        raise UsageError(
            f'{file} is for {found}, and {recipe} does {task}: choose '
            'another recipe or other data.'
        )


def _read(file: Path) -> Config:
    try:
        return Config.fromfile(file)
    # A config is a program: anything can happen.
    except (Exception, SystemExit) as error:
        raise UsageError(
            f'cannot read the data set {file}: {type(error).__name__}: '
            f'{first_line(error)}.'
        ) from error


def _nothing(wanted: str, names: Sequence[str], task: str) -> str:
    near = difflib.get_close_matches(wanted, names, n=1)
    meant = f' (did you mean {near[0]}?)' if near else ''
    return (
        f'there is no data set, file or folder {wanted}{meant}: give a data '
        f'set for {task} ({", ".join(names)}), a config that describes one, '
        'or a folder of images.'
    )
