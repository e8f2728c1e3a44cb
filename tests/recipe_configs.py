"""Recipes with a data set, as MMEngine reads them; each is read once."""

import tempfile
from functools import cache
from pathlib import Path
from typing import Any, Dict, Optional

import pytest
import yaml
from mmengine.config import Config
from mmengine.fileio import load as read_yaml

ROOT = Path(__file__).resolve().parents[1]
CONFIGS = ROOT / 'configs'
MEMORY = Path('/dev/shm')
PUBLISHED = yaml.safe_load((CONFIGS / 'published.yml').read_text())
RECORDS = PUBLISHED['records']

# MMEngine reads mmpretrain's 85 metafiles for each file inherited from it.
read_once = cache(read_yaml)


@cache
def resolve(recipe: str, dataset: Optional[str] = None) -> Config:
    """Read a recipe; not to be changed, others have it too.

    Args:
        recipe (str): Its name.
        dataset (str, optional): Of the project. Defaults to None: its own.

    Returns:
        Config: As any reader of MMEngine's configs has it.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr('mmengine.config.utils.load', read_once)
        if MEMORY.is_dir():  # a dozen temporary files each
            patch.setattr(tempfile, 'tempdir', str(MEMORY))
        patch.delenv('DATASET', raising=False)
        if dataset is not None:
            patch.setenv('DATASET', dataset)
        return Config.fromfile(CONFIGS / f'{recipe}.py')


def resolve_record(record: Dict[str, Any]) -> Config:
    """The config of a record of ``published.yml``, its options merged."""
    cfg = resolve(record['recipe'], record['dataset'])
    options = record.get('options')
    if options:
        cfg = Config(cfg.to_dict(), filename=cfg.filename)
        cfg.merge_from_dict(options)
    return cfg


def recipes():
    """Names of all recipes."""
    return sorted(
        path.relative_to(CONFIGS).with_suffix('').as_posix()
        for path in CONFIGS.glob('[!_]*/**/*.py')
    )
