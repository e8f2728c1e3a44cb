"""Recipes with a dataset, as MMEngine reads them; each is read once."""

import copy
import re
import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Dict, Optional

import pytest
from mmengine.config import Config
from mmengine.fileio import load as read_yaml

from mmdrloc.datasets.use_dataset import use_dataset
from mmdrloc.reporting.published import load_published
from mmdrloc.utils.patches import find_mmseg_configs

ROOT = Path(__file__).resolve().parents[1]
CONFIGS = ROOT / 'configs'
MEMORY = Path('/dev/shm')
# Of MMEngine's schedulers and the libraries' transforms.
DEFAULTS = (
    ('backend_args', None),
    ('begin', 0),
    ('by_epoch', True),
    ('gamma', 0.1),
)
RECORDS = load_published(CONFIGS / 'published.yml')['records']

find_mmseg_configs()
# MMEngine reads mmpretrain's 85 metafiles for each file inherited from it.
read_once = cache(read_yaml)


@cache
def resolve(recipe: str, dataset: Optional[str] = None) -> Config:
    """Read a recipe; not to be changed, others have it too."""
    if dataset is not None:
        cfg = copy.deepcopy(resolve(recipe))
        use_dataset(cfg, dataset)
        return cfg
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr('mmengine.config.utils.load', read_once)
        if MEMORY.is_dir():  # a dozen temporary files each
            patch.setattr(tempfile, 'tempdir', str(MEMORY))
        return Config.fromfile(CONFIGS / f'{recipe}.py')


def resolve_record(record: Dict[str, Any]) -> Config:
    """The config of a record of ``published.yml``, its options merged."""
    cfg = resolve(record['recipe'], record['dataset'])
    options = record.get('options')
    if options:
        cfg = copy.deepcopy(cfg)
        cfg.merge_from_dict(options)
    return cfg


def recipes():
    """Names of all recipes."""
    return sorted(
        path.relative_to(CONFIGS).with_suffix('').as_posix()
        for path in CONFIGS.glob('[!_]*/**/*.py')
    )


def unscoped(value):
    """Plain values: names without libraries, defaults left out.

    The dataset of ADE20K says itself that labels count from 1.
    """
    if isinstance(value, dict):
        return {
            key: unscoped(part)
            for key, part in value.items()
            if key not in ('_scope_', 'reduce_zero_label')
            and (key, part) not in DEFAULTS
        }
    if isinstance(value, (list, tuple)):
        return [unscoped(part) for part in value]
    if isinstance(value, str):
        return re.sub(r'^mm(pretrain|det|seg)\.', '', value)
    return value
