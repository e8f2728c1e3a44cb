"""Recipes: what a config is called, which data enter it, what it adds to."""

import logging
import os
import re
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, List, NamedTuple, Optional, Union

from mmengine.config import Config
from mmengine.logging import MMLogger

from mmdrloc.checkpoints.reading import guard_files
from mmdrloc.datasets.folders import chosen_dataset, fit_to_data
from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import UsageError, first_line, mention
from mmdrloc.utils.paths import shipped

# What MMEngine replaces in a config before it reads it.
VARIABLE = 'DATASET'
# A file of `_base_` that it decides: its folder and what it is by default.
PLACEHOLDER = re.compile(r'(.*)\{\{\s*\$DATASET\s*:\s*(\S*?)\s*\}\}\.py')
# The folder of the recipes holds this file, wherever it was installed.
MARK = 'published.yml'


class DataEntry(NamedTuple):
    """Where the data set enters a recipe.

    Args:
        folder (Path): Of the data sets that it can be.
        default (str): The one that it is if nothing is said.
    """

    folder: Path
    default: str


def find_recipe(recipe: Union[str, Path]) -> Path:
    """The file of a recipe, wherever the command is given.

    Args:
        recipe (str | Path): A config, or the name of a recipe, such as
            ``scratch_100e/swin-tiny_drloc``.

    Returns:
        Path: The config; as it was given where there is none.
    """
    path = Path(recipe).expanduser()
    name = str(recipe).removeprefix('configs/').removesuffix('.py')
    ours = shipped('configs') / f'{name}.py'
    return ours if not path.is_file() and ours.is_file() else path


def read_recipe(
    path: Union[str, Path], dataset: Optional[str] = None
) -> Config:
    """Read a config with a data set of one's choice.

    Args:
        path (str | Path): The config, or the name of a recipe.
        dataset (str, optional): A data set's name, a file that describes
            one, or a folder of images. Defaults to None: the config's own.

    Returns:
        Config: With ``run``, which says what a training with it is: the
        recipe, the data set, the weights (None as yet) and the baseline.

    Raises:
        UsageError: If the config or the data set cannot be read, or they do
            not fit each other.
    """
    path = find_recipe(path)
    if dataset is None:
        cfg = read_config(path)
        # What was dumped says itself what it is.
        name = cfg.get('run', {}).get('dataset') or cfg.get('dataset_name')
    else:
        # MMEngine goes up from a folder by its name at one place and by the
        # disk at another: behind a link these differ.
        real = os.path.realpath(path)
        entry = find_data_entry(real)
        if entry is None:
            read_config(path)  # what cannot be read is the first to be said
            raise UsageError(
                f'--dataset {dataset} does not fit {path}, which settles its '
                'data itself: leave --dataset out, or give a recipe with '
                "'{{$DATASET:...}}' in its _base_."
            )
        with chosen_dataset(dataset, *entry, str(path)) as chosen:
            value = os.path.relpath(chosen.file.with_suffix(''), entry.folder)
            with _environment(value):
                cfg = read_config(real)
        notes = [*chosen.notes, *fit_to_data(cfg)]
        if process_rank() == 0:
            mention(notes)
        name = chosen.name
    baseline = baseline_of(path, cfg)
    cfg.run = dict(
        recipe=name_of(path),
        dataset=name,
        weights=None,
        baseline=baseline and name_of(baseline),
    )
    return cfg


def read_config(path: Union[str, Path]) -> Config:
    """Read a config file, and from now on all files as data.

    Args:
        path (str | Path): The file, or the name of a recipe. In Python it
            is a program, and runs.

    Returns:
        Config: As the file and its bases say.

    Raises:
        UsageError: If there is no such file or it cannot be read.
    """
    guard_files()
    path = find_recipe(path)
    if not path.is_file():
        raise UsageError(
            f'there is no config {path}: `mmdrloc recipes` lists those of '
            'this project.'
        )
    try:
        return Config.fromfile(path)
    # A config is a program: anything can happen.
    except (Exception, SystemExit) as error:
        raise UsageError(
            f'cannot read the config {path}: '
            f'{type(error).__name__}: '
            f'{first_line(error)}'
        ) from error


def name_of(path: Union[str, Path]) -> str:
    """What a recipe is called.

    Args:
        path (str | Path): Its file.

    Returns:
        str: Its path below ``configs/`` without the suffix, such as
        ``scratch_100e/swin-tiny_drloc``; of a file elsewhere its path.
    """
    path = Path(path)
    place = Path(os.path.abspath(path)).with_suffix('')
    for folder in place.parents:
        if (folder / MARK).is_file():
            return place.relative_to(folder).as_posix()
    return path.with_suffix('').as_posix()


def baseline_of(path: Union[str, Path], cfg: Config) -> Optional[Path]:
    """The recipe that a recipe adds DRLoc to.

    Args:
        path (str | Path): A recipe.
        cfg (Config): What it says.

    Returns:
        Path, optional: The nearest recipe that it inherits from and that has
        no DRLoc; None if there is none, or it has no DRLoc itself.
    """
    if not _has_drloc(cfg):
        return None
    for file in _ancestors(path):
        if '_base_' not in file.parts and not _has_drloc(read_config(file)):
            return file
    return None


def work_dir_of(path: Union[str, Path], cfg: Config) -> str:
    """Where a run goes by default.

    Args:
        path (str | Path): The recipe.
        cfg (Config): What it says.

    Returns:
        str: ``work_dirs/<recipe>_<data set>``.
    """
    name, dataset = Path(path).stem, cfg.get('dataset_name')
    if dataset and not name.endswith(f'_{dataset}'):
        name = f'{name}_{dataset}'
    return str(Path('work_dirs', name))


def find_data_entry(path: Union[str, Path]) -> Optional[DataEntry]:
    """Find where the data set enters a recipe.

    Args:
        path (str | Path): The recipe.

    Returns:
        DataEntry, optional: None where the data cannot be chosen.
    """
    for file in [Path(path), *_ancestors(path)]:
        for base in _bases(file):
            match = PLACEHOLDER.fullmatch(base)
            if match:
                folder = os.path.abspath(file.parent / match[1])
                return DataEntry(Path(folder), match[2])
    return None


def _ancestors(path: Union[str, Path]) -> Iterator[Path]:
    """The files that a config inherits from, the nearest ones first."""
    waiting = [Path(path)]
    known = set()
    while waiting:
        file = waiting.pop(0)
        for base in _bases(file):
            inherited = Path(os.path.abspath(file.parent / base))
            if inherited.is_file() and inherited not in known:
                known.add(inherited)
                waiting.append(inherited)
                yield inherited


def _bases(file: Path) -> List[str]:
    """What ``_base_`` names in a file, but for files of other packages."""
    try:
        bases = Config._get_base_files(str(file))
    # Whoever reads the config says what is wrong with it.
    except Exception:
        return []
    return [b for b in bases if isinstance(b, str) and '::' not in b]


def _has_drloc(cfg: Config) -> bool:
    model = cfg.get('model')
    parts = model.values() if isinstance(model, dict) else ()
    kinds = [part.get('type') for part in parts if isinstance(part, dict)]
    return any(str(kind).split('.')[-1] == 'DRLocHead' for kind in kinds)


@contextmanager
def _environment(value: str) -> Iterator[None]:
    """Set the variable; of what MMEngine replaces, nothing is printed."""

    def keep(record: logging.LogRecord) -> bool:
        return f'`{VARIABLE}`' not in record.getMessage()

    logger = MMLogger.get_current_instance()
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = value
    logger.addFilter(keep)
    try:
        yield
    finally:
        logger.removeFilter(keep)
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
