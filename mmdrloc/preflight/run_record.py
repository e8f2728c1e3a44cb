"""Run record: what a run was begun with, compared on going on.

A record is flat, plain data: places of the config such as
``model.backbone.depth`` with their values, and what the data and the weights
are. What does not change the result is not in it: folders, logging, workers.
"""

import os
from typing import Any, Dict, Iterable, Mapping, Optional, Tuple

from mmengine.config import Config

from mmdrloc.utils.config_walk import at
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
LENGTHS = ('train_cfg.max_epochs', 'train_cfg.max_iters')
OTHERS = ['randomness', 'auto_scale_lr', 'load_from', 'val_evaluator']
OTHERS += [
    f'{phase}_dataloader.{key}'
    for phase in ('train', 'val')
    for key in ('num_batch_per_epoch', 'dataset', 'sampler', 'batch_sampler')
    + ('collate_fn', 'drop_last')
]
# Where it was begun: a folder with data and runs may be moved.
FOLDER = 'folder'


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
    size = at(cfg, 'train_dataloader.batch_size')
    record = {
        FOLDER: os.path.realpath(os.curdir),
        'recipe': run.get('recipe'),
        'dataset': run.get('dataset'),
        'images': run.get('images') and list(run['images']),
        'weights': _place(weights) if weights else None,
        'global batch': process_count() * (size if type(size) is int else 0),
    }
    for key in (*COMPARED, *OTHERS, *LENGTHS):
        record.update(_flat(key, at(cfg, key)))
    return record


def difference(then: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Name the first thing in which two records differ.

    A longer training is no other one.

    Args:
        then (Mapping): Of the run that was begun; from a file.
        now (Mapping): Of the one that would go on with it.

    Returns:
        str: Such as 'dataset svhn, not cifar10'; empty if they agree.
    """
    longer = LENGTHS if is_longer(then, now) else ()
    differing = {
        place: (then.get(place), now.get(place))
        for place in dict.fromkeys([*now, *then])
        if then.get(place) != now.get(place)
        and place not in (FOLDER, *longer)
        and not _is_moved(place, then, now)
    }
    # The same file may be named from another folder.
    if not differing or list(differing) == ['recipe']:
        return ''
    place, values = next(iter(differing.items()))
    texts = ['none' if value is None else str(value) for value in values]
    begun, asked = (f'{t[:57]}...' if len(t) > 60 else t for t in texts)
    return f'{place} {begun}, not {asked}'


def is_longer(then: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether a training is to last longer than it was begun for."""
    lengths = [(then.get(name), now.get(name)) for name in LENGTHS]
    return any(None not in pair and pair[0] < pair[1] for pair in lengths)


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


def _flat(place: str, value: Any) -> Iterable[Tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            # `_scope_` and its like only say where a name was written.
            if str(key).startswith('_'):
                continue
            if key == 'data_root' and isinstance(item, str):
                item = _place(item)
            yield from _flat(f'{place}.{key}', item)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _flat(f'{place}[{index}]', item)
    elif isinstance(value, (bool, int, float, str)):
        yield place, value
    elif value is not None:
        yield place, getattr(value, '__qualname__', type(value).__name__)


def _place(path: str) -> str:
    return os.path.realpath(path) if os.path.exists(path) else path
