"""Recipes: find one by name, read it with a dataset, know its baseline."""

import os
import re
from pathlib import Path
from typing import Iterator, Optional, Union

from mmengine.config import Config

from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import UsageError, first_line, mention
from mmdrloc.utils.patches import find_mmseg_configs
from mmdrloc.utils.paths import find_recipe, recipe_file
from .catalog import described
from .use_dataset import use_dataset

# The folder of the recipes holds this file, wherever it was installed.
MARK = 'published.yml'
BLOCK = re.MULTILINE | re.DOTALL


def read_recipe(
    path: Union[str, Path], dataset: Optional[str] = None
) -> Config:
    """Read a config with a dataset of one's choice.

    Args:
        path (str | Path): The config, or the name of a recipe.
        dataset (str, optional): A dataset's name, a file that describes one,
            or a folder of images. Defaults to None: the config's own.

    Returns:
        Config: With ``run``, which says what a training with it is: the
        recipe, the dataset (its name, or the path of the user's) and its
        images, the weights (None as yet) and the baseline.

    Raises:
        UsageError: If the config or the dataset cannot be read, or they do
            not fit each other.
    """
    path = find_recipe(path)
    cfg = read_config(path)
    if dataset is not None:
        notes = use_dataset(cfg, dataset)
        if process_rank() == 0:
            mention(notes)
    known = described(cfg)
    cfg.update(known)
    baseline = baseline_of(path, cfg)
    # What was dumped says itself what it is.
    name = dataset is None and cfg.get('run', {}).get('dataset')
    cfg.run = dict(
        recipe=name_of(path),
        dataset=name or known.get('dataset_path', cfg.get('dataset_name')),
        images=[known.get('num_train'), known.get('num_val')],
        weights=None,
        baseline=baseline and name_of(baseline),
    )
    return cfg


def read_config(path: Union[str, Path]) -> Config:
    """Read a config file.

    Args:
        path (str | Path): The file, or the name of a recipe. In Python it
            is a program, and runs; what it reads is read as data within
            :func:`mmdrloc.checkpoints.reading.files_as_data`.

    Returns:
        Config: As the file and its bases say.

    Raises:
        UsageError: If there is no such file or it cannot be read.
    """
    path = recipe_file(path)
    find_mmseg_configs()
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
    for file in _ancestors(Path(path)):
        if '_base_' not in file.parts and not _has_drloc(read_config(file)):
            return file
    return None


def work_dir_of(path: Union[str, Path], cfg: Config) -> str:
    """Where a run goes by default.

    Args:
        path (str | Path): The recipe.
        cfg (Config): What it says.

    Returns:
        str: ``work_dirs/<recipe>_<dataset>``.
    """
    name, dataset = Path(path).stem, cfg.get('dataset_name')
    if dataset and not name.endswith(f'_{dataset}'):
        name = f'{name}_{dataset}'
    return str(Path('work_dirs', name))


def _ancestors(path: Path) -> Iterator[Path]:
    """The files that a config inherits from, the nearest ones first."""
    waiting, known = [path], {path}
    while waiting:
        file = waiting.pop(0)
        said = re.search(
            r'^_base_ *= *([\[(].*?[\])]|.*?$)', _text(file), BLOCK
        )
        names = re.findall(r'[\'"](.+?\.py)[\'"]', said[1]) if said else ()
        for name in names:
            base = Path(os.path.abspath(file.parent / name))
            if base.is_file() and base not in known:
                known.add(base)
                waiting.append(base)
                yield base


def _text(file: Path) -> str:
    # Whoever reads the config says what is wrong with it.
    return file.read_text(encoding='utf-8', errors='replace')


def _has_drloc(cfg: Config) -> bool:
    model = cfg.get('model')
    parts = model.values() if isinstance(model, dict) else ()
    kinds = [part.get('type') for part in parts if isinstance(part, dict)]
    return any(str(kind).split('.')[-1] == 'DRLocHead' for kind in kinds)
