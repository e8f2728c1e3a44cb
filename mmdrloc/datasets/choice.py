"""A data set of one's choice: its name, its file, or a folder of images."""

import difflib
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator, List, NamedTuple, Sequence

from mmengine.config import Config

from mmdrloc.errors import UsageError

# What the file of a data set says, by what its data are for.
NEEDED = ('task', 'dataset_name', 'num_classes', 'num_train', 'num_val')
NEEDED += ('train_dataset', 'val_dataset')
NEEDED_FOR = dict(
    classification=(),
    detection=('metainfo', 'val_ann_file'),
    segmentation=('metainfo', 'reduce_zero_label'),
)


class Chosen(NamedTuple):
    """A data set as MMEngine can read it.

    Args:
        file (Path): Its config.
        name (str): What it is in a record: one of ours by its name, others
            by their path.
    """

    file: Path
    name: str


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
    task = str(_read(folder / f'{default}.py').get('task'))
    path = Path(wanted).expanduser()
    named = folder / f'{wanted}.py'
    if wanted == Path(wanted).name and named.is_file():
        found = str(_read(named).get('task'))
        if found != task:
            raise UsageError(
                f'--dataset {wanted} is for {found}, and {recipe} does '
                f'{task}: choose from {_listed(_names(folder, task))}.'
            )
        yield Chosen(named, wanted)
        return
    if not path.exists():
        raise UsageError(_nothing(wanted, _names(folder, task), task))
    place = path.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        file = Path(temporary, 'dataset.py')
        check_own(place, task, recipe)
        # A path that MMEngine would put into a file may have quotes in it.
        file.write_text(f'_base_ = {str(place)!r}\n', encoding='utf-8')
        yield Chosen(file, str(place))


def check_own(file: Path, task: str, recipe: str) -> None:
    """See that the file of a data set says what recipes ask it.

    Args:
        file (Path): A config.
        task (str): What its data should be for.
        recipe (str): What asks, as messages name it.

    Raises:
        UsageError: If something is missing or does not fit.
    """
    said = _read(file)
    needed: Sequence[str] = NEEDED
    if said.get('task', task) == task:
        needed = [*NEEDED, *NEEDED_FOR.get(task, ())]
    missing = [key for key in needed if said.get(key) is None]
    if missing:
        raise UsageError(
            f'{file} does not describe a data set: it lacks '
            f'{", ".join(missing)}; configs/_base_/datasets has examples.'
        )
    if said.task != task:
        raise UsageError(
            f'{file} is for {said.task}, and {recipe} does {task}: choose '
            'another recipe or other data.'
        )


def _read(file: Path) -> Config:
    try:
        return Config.fromfile(file)
    # A config is a program: anything can happen.
    except (Exception, SystemExit) as error:
        raise UsageError(
            f'cannot read the data set {file}: {type(error).__name__}: '
            f'{str(error).strip().splitlines()[:1]}'
        ) from error


def _names(folder: Path, task: str) -> List[str]:
    """The data sets for a task."""
    files = sorted(folder.glob('*.py'))
    return [file.stem for file in files if _read(file).get('task') == task]


def _nothing(wanted: str, names: Sequence[str], task: str) -> str:
    near = difflib.get_close_matches(wanted, names, n=1)
    meant = f' (did you mean {near[0]}?)' if near else ''
    return (
        f'there is no data set, file or folder {wanted}{meant}: give a data '
        f'set for {task} ({_listed(names)}), a config that describes one, '
        'or a folder of images.'
    )


def _listed(names: Sequence[Any]) -> str:
    return ', '.join(map(str, names))
