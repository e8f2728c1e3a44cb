"""Recipes: find one by name, read it with a dataset, know its baseline."""

import copy
import os
from pathlib import Path
from typing import Dict, Optional, Sequence, Union

from mmengine.config import Config

from mmdrloc.utils.config_walk import at, kind_of
from mmdrloc.utils.distributed import process_rank
from mmdrloc.utils.errors import mention
from mmdrloc.utils.files import atomic_path
from mmdrloc.utils.paths import find_recipe
from .catalog import described
from .choice import read_config
from .recipe_list import bases_of
from .use_dataset import use_dataset

# The folder of the recipes holds this file, wherever it was installed.
MARK = 'published.yml'


def read_recipe(
    path: Union[str, Path],
    dataset: Optional[str] = None,
    launcher: str = 'none',
    classes: Sequence[str] = (),
) -> Config:
    """Read a config with a dataset of one's choice.

    Args:
        path (str | Path): The config, or the name of a recipe.
        dataset (str, optional): A dataset's name, a file that describes one,
            or a folder of images. Defaults to None: the config's own.
        launcher (str): How several processes are started, of which the first
            one tells what there is to note. Defaults to 'none'.
        classes (Sequence[str]): See :func:`use_dataset`. Defaults to ().

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
    if at(cfg, 'run.resolved') == os.path.abspath(path):
        file = cfg.run.pop('file')
        cfg.run.pop('resolved')
        return Config(cfg.to_dict(), filename=file)
    # The file may be edited while the runs of a comparison wait.
    reference = reference_of(cfg)
    if dataset is not None:
        notes = use_dataset(cfg, dataset, classes)
        if process_rank(launcher) == 0:
            mention(*notes)
    known = described(cfg)
    cfg.update(known)
    baseline = baseline_of(path, cfg)
    # What was dumped says itself what it is.
    name = dataset is None and cfg.get('run', {}).get('dataset')
    cfg.run = dict(
        recipe=name_of(path),
        dataset=name or known.get('dataset_path', cfg.get('dataset_name')),
        images=[
            known.get('num_train'),
            known.get('num_val'),
            *([known['data_files']] if 'data_files' in known else ()),
        ],
        weights=None,
        baseline=baseline and name_of(baseline),
        head=head_of(cfg),
        reference=reference,
    )
    return cfg


def reference_of(cfg: Config) -> Dict[str, Optional[int]]:
    """Length and batch of a config, before options change them."""
    return dict(
        epochs=at(cfg, 'train_cfg.max_epochs'),
        iterations=at(cfg, 'train_cfg.max_iters'),
        accumulative_counts=at(cfg, 'optim_wrapper.accumulative_counts'),
        global_batch=at(cfg, 'auto_scale_lr.base_batch_size'),
    )


def write_resolved(cfg: Config, path: Union[str, Path]) -> None:
    """Write a config whose training is that of its recipe.

    :func:`read_recipe` gives it back as it was. A copy of the file, or what
    inherits from it, is a config of its own.

    Args:
        cfg (Config): As :func:`read_recipe` returns it, options included.
        path (str | Path): The file.
    """
    cfg = copy.deepcopy(cfg)
    cfg.run.update(resolved=os.path.abspath(path), file=cfg.filename)
    with atomic_path(path) as temporary:
        temporary.write_text(cfg.pretty_text)


def name_of(path: Union[str, Path]) -> str:
    """What a recipe is called, such as ``scratch_100e/swin-tiny_drloc``.

    That is its path below ``configs/``; of a file elsewhere its name
    and that of its folder.
    """
    place = Path(os.path.abspath(path)).with_suffix('')
    for folder in place.parents:
        if (folder / MARK).is_file():
            return place.relative_to(folder).as_posix()
    return Path(*place.parts[-2:]).as_posix()


def baseline_of(path: Union[str, Path], cfg: Config) -> Optional[Path]:
    """The recipe without DRLoc that a recipe, ``cfg``, inherits from.

    None if there is none, or it has no DRLoc itself.
    """
    if head_of(cfg) is None:
        return None
    for base in bases_of(Path(path)):
        if '_base_' not in base.parts:
            inherited = read_config(base)
            found = baseline_of(base, inherited)
            return base if head_of(inherited) is None else found
    return None


def work_dir_of(path: Union[str, Path], cfg: Config) -> str:
    """Where a run goes by default: ``work_dirs/<recipe>_<dataset>``."""
    name, dataset = Path(path).stem, cfg.get('dataset_name')
    if dataset and not name.endswith(f'_{dataset}'):
        name = f'{name}_{dataset}'
    return str(Path('work_dirs', name))


def head_of(cfg: Config) -> Optional[str]:
    """The key of the model's DRLoc head, if it has one.

    In a classifier it is ``auxiliary_head``, which in a segmentor is another
    head of the baseline too. It may be of a class of the user's.
    """
    model = cfg.get('model')
    parts = model if isinstance(model, dict) else {}
    for key, part in parts.items():
        if isinstance(part, dict) and (
            kind_of(part) == 'DRLocHead'
            or key == 'drloc_head'
            or (key, kind_of(parts)) == ('auxiliary_head', 'DRLocClassifier')
        ):
            return key
    return None
