"""Run record: what a run was begun with, compared on going on.

A record is flat, plain data: places of the config such as
``model.backbone.depth`` with their values, and what the data and the weights
are. What does not change the result is not in it: folders, logging, workers.
"""

import os
from typing import Any, Dict, Iterable, Mapping, Optional, Tuple

from mmengine.config import Config

from mmdrloc.utils.distributed import process_count

Record = Dict[str, Any]

# What of a config changes what is trained, beside its data and seed.
COMPARED = (
    'model',
    'data_preprocessor',
    'optim_wrapper',
    'param_scheduler',
    'custom_hooks',
)
COMPARED_OF_LOADER = (
    'num_batch_per_epoch',
    'dataset',
    'sampler',
    'batch_sampler',
    'collate_fn',
    'drop_last',
)
# Where it was begun: a folder with data and runs may be moved.
FOLDER = 'folder'
LENGTHS = ('train_cfg.max_epochs', 'train_cfg.max_iters')


def record_of(cfg: Config, weights: Optional[str] = None) -> Record:
    """Describe the training that a config asks for.

    Args:
        cfg (Config): The whole config, with ``run``; nothing has put its
            starting weights into it.
        weights (str, optional): What it starts from: a file, the work_dir of
            a run, or an address.

    Returns:
        dict: Values that JSON keeps as they are.
    """
    run = cfg.get('run') or {}
    more = ('randomness', 'auto_scale_lr', 'load_from')
    settings = {name: cfg.get(name) for name in (*COMPARED, *more)}
    lengths = ('max_epochs', 'max_iters')
    train_cfg = cfg.get('train_cfg') or {}
    settings['train_cfg'] = {name: train_cfg.get(name) for name in lengths}
    for name in ('train_dataloader', 'val_dataloader'):
        loader = cfg.get(name) or {}
        settings[name] = {key: loader.get(key) for key in COMPARED_OF_LOADER}
    settings['val_evaluator'] = cfg.get('val_evaluator')
    return {
        FOLDER: os.path.realpath(os.curdir),
        'recipe': run.get('recipe'),
        'dataset': run.get('dataset'),
        'images': run.get('images') and list(run['images']),
        'weights': _place(weights) if weights else None,
        'global batch': process_count() * _batch_size(cfg),
        **dict(_flat('', settings)),
    }


def difference(then: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Name the first thing in which two records differ.

    A longer training is no other one.

    Args:
        then (Mapping): Of the run that was begun; from a file.
        now (Mapping): Of the one that would go on with it.

    Returns:
        str: Such as 'dataset svhn, not cifar10'; empty if they agree.
    """
    places = [
        place
        for place in dict.fromkeys([*now, *then])
        if then.get(place) != now.get(place)
        and place != FOLDER
        and not _is_moved(place, then, now)
        and not (place in LENGTHS and _is_more(then.get(place), now[place]))
    ]
    # The same file may be named from another folder.
    if not places or places == ['recipe']:
        return ''
    place = places[0]
    return f'{place} {_shown(then.get(place))}, not {_shown(now.get(place))}'


def is_longer(then: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether a training is to last longer than it was begun for."""
    return any(_is_more(then.get(name), now.get(name)) for name in LENGTHS)


def _is_moved(
    place: str, then: Mapping[str, Any], now: Mapping[str, Any]
) -> bool:
    """Whether a path is gone, and the same one below the new folder."""
    paths = [record.get(place) for record in (then, now)]
    folders = [record.get(FOLDER) for record in (then, now)]
    if not all(isinstance(p, str) and os.path.isabs(p) for p in paths):
        return False
    if not all(folders) or os.path.exists(paths[0]):
        return False
    old, new = map(os.path.relpath, paths, folders)
    return old == new


def _is_more(then: Any, now: Any) -> bool:
    return isinstance(then, int) and isinstance(now, int) and then < now


def _flat(place: str, value: Any) -> Iterable[Tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            # `_scope_` and its like only say where a name was written.
            if str(key).startswith('_'):
                continue
            if key == 'data_root' and isinstance(item, str):
                item = _place(item)
            yield from _flat(f'{place}.{key}'.strip('.'), item)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _flat(f'{place}[{index}]', item)
    elif isinstance(value, (bool, int, float, str)):
        yield place, value
    elif value is not None:
        yield place, getattr(value, '__qualname__', type(value).__name__)


def _batch_size(cfg: Config) -> int:
    size = (cfg.get('train_dataloader') or {}).get('batch_size')
    return size if isinstance(size, int) else 0


def _place(path: str) -> str:
    return os.path.realpath(path) if os.path.exists(path) else path


def _shown(value: Any) -> str:
    text = 'none' if value is None else str(value)
    return text if len(text) <= 60 else f'{text[:57]}...'
