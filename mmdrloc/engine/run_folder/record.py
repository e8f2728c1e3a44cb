"""Run record: what a run was begun with, compared when it goes on.

A record is flat: places of the config such as ``model.backbone.depth`` and
their values. What does not change the result, such as logging, is left out.
The folder of a run may be moved, and not that of its data.
"""

import sys
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

from mmengine.config import Config

from mmdrloc.checkpoints.sources import find_checkpoint
from mmdrloc.utils.config_walk import at, imported_by
from mmdrloc.utils.distributed import process_count
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.files import sha256_of
from mmdrloc.utils.paths import Place, is_installed

Record = Dict[str, Any]

# Keys of a config that change what is trained, beside its data and seed.
COMPARED = (
    'model',
    'data_preprocessor',
    'optim_wrapper',
    'param_scheduler',
    'custom_hooks',
)
LENGTHS = ('train_cfg.max_epochs', 'train_cfg.max_iters')
SEED = 'randomness.seed'
# Parts that `--epochs` and `--iters` scale.
SCALED = ('param_scheduler', 'custom_hooks')
OTHERS = ('randomness', 'auto_scale_lr', 'load_from', 'val_evaluator')
OF_LOADERS = (
    'num_batch_per_epoch',
    'dataset',
    'sampler',
    'batch_sampler',
    'collate_fn',
    'drop_last',
)
LOADERS = tuple(
    f'{phase}_dataloader.{key}'
    for phase in ('train', 'val')
    for key in OF_LOADERS
)
BATCH = 'global batch'
# A batch in parts is the same batch.
PARTS = 'optim_wrapper.accumulative_counts'
RESUMED = 'resumed from'
# Noted and not compared: the second is named from another folder, perhaps.
NOTED = (RESUMED, 'recipe')
WEIGHTS, CHECKSUM = 'weights', 'SHA-256 of the weights'
CODE = 'checksum of custom_imports'
# What the user calls them.
NAMES = dict(
    zip((*LENGTHS, SEED), ('epochs', 'iterations', 'seed')),
    images='images of the data (numbers, checksum)',
)


def record_of(
    cfg: Config,
    weights: Optional[str] = None,
    resume: Optional[Place] = None,
    processes: Optional[int] = None,
) -> Record:
    """Describe the training that a config asks for, as JSON keeps it.

    Args:
        cfg (Config): It must not name the weights yet.
        weights (str, optional): What it starts from: a file, a work_dir or
            an address.
        resume (str | Path, optional): The checkpoint of ``--resume``.
        processes (int, optional): How many there will be. Defaults to what
            the launcher of the config has started.

    Raises:
        UsageError: If a module of the user was edited since its import.
    """
    run = cfg.get('run') or {}
    for file in _own_modules(cfg):
        if sha256_of(Path(file)) != _when_imported(file):
            raise UsageError(
                f'{file} was edited since it was imported, and Python keeps '
                'what it has: start it anew.'
            )
    count = processes or process_count(cfg.get('launcher', 'none'))
    size = at(cfg, 'train_dataloader.batch_size')
    parts = at(cfg, PARTS) or 1
    is_known = type(size) is int and type(parts) is int
    record = {
        RESUMED: str(resume) if resume else None,
        'recipe': run.get('recipe'),
        'dataset': run.get('dataset'),
        'images': run.get('images') and list(run['images']),
        WEIGHTS: weights,
        CHECKSUM: _checksum(weights),
        CODE: _own_code(cfg),
    }
    # The first difference is told: what the user has typed comes first.
    for key in (*LENGTHS, SEED, *COMPARED, *OTHERS, *LOADERS):
        record.update(_flat(key, at(cfg, key)))
    return {**record, BATCH: count * size * parts if is_known else 0}


def makes_another(option: str) -> bool:
    """Whether a key of the config makes another training, whatever its seed.

    The batch size does not: it may be given in parts.
    """
    places = (*COMPARED, *LOADERS, 'load_from')
    return f'{option}.'.startswith(tuple(f'{place}.' for place in places))


def settings_of(cfg: Config, start: Optional[str] = None) -> str:
    """A short checksum of what a config trains, whatever it is called.

    Of its data it has the transforms, and the checksum of a user's files. The
    name of ``start``, weights of a known run, does not count: each seed may
    have its own.
    """
    settings = [('images', at(cfg, 'run.images'))]
    code = _own_code(cfg)
    settings += [(CODE, code)] if code else []
    for key in (*COMPARED, 'train_dataloader'):
        settings += [
            (place, value)
            for place, value in _flat(key, at(cfg, key))
            if ((key in COMPARED and place != PARTS) or '.pipeline' in place)
            and not (place.endswith('.checkpoint') and value == start)
        ]
    in_any_order = sorted(map(repr, settings))
    return sha256(repr(in_any_order).encode()).hexdigest()[:8]


def first_difference(then: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Name the first difference of two records, like 'seed 0, not 1'.

    '' if they agree, or if only the training is longer now.
    """
    # What a file of weights holds counts, where it is there, not its name.
    is_read = then.get(CHECKSUM) and now.get(CHECKSUM)
    noted = [*NOTED, WEIGHTS if is_read else CHECKSUM]
    noted += [] if CODE in then else [CODE]  # begun before it was noted
    differing = [
        place
        for place in dict.fromkeys([*now, *then])
        if then.get(place) != now.get(place) and place not in noted
    ]
    allowed = LENGTHS if is_longer(then, now) else ()
    refused = [place for place in differing if place not in allowed]
    if not refused:
        return ''
    place = refused[0]
    # Another length also scales the schedule and the hooks.
    if differing[0] in LENGTHS and place.startswith(SCALED):
        place = differing[0]
    begun, asked = (
        'none' if values.get(place) is None else f'{values[place]!s:.60}'
        for values in (then, now)
    )
    remedy = ''
    if place == BATCH:  # such as on another number of GPUs
        images = then[BATCH] // then.get(PARTS, 1)
        remedy = (
            f': with train_dataloader.batch_size x processes = {images} it '
            'goes on'
        )
    return f'{NAMES.get(place, place)} {begun}, not {asked}{remedy}'


def _checksum(weights: Optional[str]) -> Optional[str]:
    """Of the file that is meant now; None if it is no longer there."""
    try:
        return weights and sha256_of(find_checkpoint(weights))
    except UsageError:
        return None


def _own_code(cfg: Config) -> Optional[str]:
    """A checksum of the user's modules that a config imports."""
    sums = [_when_imported(file) for file in _own_modules(cfg)]
    return sha256(repr(sums).encode()).hexdigest()[:8] if sums else None


def _own_modules(cfg: Config) -> List[str]:
    """The files of the user's modules that a config imports."""
    names = imported_by(cfg)
    others = [name for name in names if name.split('.')[0] != 'mmdrloc']
    found = [getattr(sys.modules.get(n), '__file__', None) for n in others]
    return [file for file in found if file and not is_installed(file)]


@cache
def _when_imported(file: str) -> str:
    """The checksum that a file had when this process first asked for it."""
    return sha256_of(Path(file))


def is_longer(then: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    """Whether a training is to last longer than it was begun for."""
    lengths = [(then.get(name), now.get(name)) for name in LENGTHS]
    return any(None not in pair and pair[0] < pair[1] for pair in lengths)


def _flat(place: str, value: Any) -> Iterator[Tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            # `_scope_` and the like say where a name was written.
            if not str(key).startswith('_'):
                yield from _flat(f'{place}.{key}', item)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _flat(f'{place}[{index}]', item)
    elif isinstance(value, (bool, int, float, str)):
        yield place, value
    elif value is not None:
        yield place, getattr(value, '__qualname__', type(value).__name__)
