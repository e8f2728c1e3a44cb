"""What a training is, as plain data: to tell whether another is the same.

A record is flat: places such as ``model.backbone.depth`` and their values.
What does not change the result is not in it: folders, logging, workers.
"""

import ast
from itertools import islice
from pathlib import PurePath
from typing import Any, Dict, Iterable, List, Mapping, Tuple
from zlib import crc32

from mmengine.runner import Runner

from mmdrloc.utils.batch_size import (
    accumulative_counts,
    batch_size,
    iterations_per_epoch,
)
from mmdrloc.utils.config_walk import dicts_in
from .samples import classes_of

Record = Dict[str, Any]

COMPARED = (
    'model',
    'data_preprocessor',
    'optim_wrapper',
    'param_scheduler',
    'custom_hooks',
)
COMPARED_OF_DATA = (
    'dataset',
    'sampler',
    'batch_sampler',
    'collate_fn',
    'drop_last',
    'num_batch_per_epoch',
)
LENGTH = ('max_epochs', 'max_iters')
LENGTHS = tuple(f'train_cfg.{name}' for name in LENGTH)

# Samples whose names and labels stand for those of a data set.
SAMPLES = 256
# A config longer than this is none: it is not parsed.
MOST_TEXT = 2**20
# What may be anything: an expression that is no plain value.
UNKNOWN = object()


def record_of(runner: Runner) -> Record:
    """Describe the training that a runner is about to do.

    Args:
        runner (Runner): With its train loop and optimizer built.

    Returns:
        dict: The record; its values are plain.
    """
    record = settings_of(runner.cfg)
    images = batch_size(runner.train_dataloader) * runner.world_size
    record['images in an iteration'] = images
    record['accumulated iterations'] = accumulative_counts(runner)
    record['iterations in an epoch'] = iterations_per_epoch(runner)
    dataset = runner.train_dataloader.dataset
    record['training images'] = len(dataset)
    record['training classes'] = _listed(classes_of(dataset))
    record['training data'] = _digest(dataset)
    return record


def settings_of(cfg: Mapping[str, Any]) -> Record:
    """What the settings of a config say of the result.

    Args:
        cfg (Mapping): A whole config, or one read from text.

    Returns:
        dict: Flat, with plain values, or ``UNKNOWN`` ones.
    """
    settings = {name: cfg.get(name) for name in COMPARED}
    loader = _mapping(cfg.get('train_dataloader'))
    settings['train_dataloader'] = {
        name: loader.get(name) for name in COMPARED_OF_DATA
    }
    # A run may be continued without validation, and says so; with another
    # one its metrics would be of two kinds.
    if cfg.get('val_dataloader') is not None:
        val_loader = _mapping(cfg['val_dataloader'])
        settings['val_dataloader'] = dict(dataset=val_loader.get('dataset'))
        settings['val_evaluator'] = cfg.get('val_evaluator')
    train_cfg = _mapping(cfg.get('train_cfg'))
    settings['train_cfg'] = {name: train_cfg.get(name) for name in LENGTH}
    scaling = _mapping(cfg.get('auto_scale_lr'))
    if scaling.get('enable'):
        settings['auto_scale_lr'] = scaling
    settings['randomness'] = dict(
        seed=_mapping(cfg.get('randomness')).get('seed')
    )
    weights = _mapping(_mapping(cfg.get('run')).get('weights'))
    settings['weights'] = weights.get('sha256')
    # Folders of data: their content is compared, and not where it lies.
    found = (node.get('data_root') for _, node in dicts_in(settings))
    roots = {root for root in found if isinstance(root, str) and root}
    # Where the converted copy of the weights lies.
    if weights and cfg.get('work_dir'):
        roots.add(str(cfg['work_dir']))
    return dict(_flat('', settings, sorted(roots, reverse=True)))


def parsed(text: Any) -> Record:
    """Read the settings of a config's text, of which nothing is run.

    Args:
        text (Any): As MMEngine writes it into checkpoints: assignments of
            plain values.

    Returns:
        dict: As :func:`settings_of` gives them; empty if it is no such text.
    """
    if not isinstance(text, str) or len(text) > MOST_TEXT:
        return {}
    try:
        config = {
            target.id: _value(statement.value)
            for statement in ast.parse(text).body
            if isinstance(statement, ast.Assign)
            for target in statement.targets
            if isinstance(target, ast.Name)
        }
        return settings_of(config) if config else {}
    # What a text can do to a parser.
    except (
        SyntaxError,
        TypeError,
        ValueError,
        RecursionError,
        MemoryError,
    ):
        return {}


def differences(then: Record, now: Record, both: bool = False) -> List[str]:
    """Compare two records; to train longer is no other training.

    Args:
        then (dict): Of the run that was begun; from a file, so anything.
        now (dict): Of the one that would continue it.
        both (bool): Whether only places are compared that both have.
            Defaults to False.

    Returns:
        List[str]: 'place: then A, now B'.
    """
    found = []
    if not _validates(then) or not _validates(now):
        then, now = (_without_validation(record) for record in (then, now))
    for place in dict.fromkeys([*now, *then]):
        if both and not (place in then and place in now):
            continue
        values = then.get(place), now.get(place)
        if UNKNOWN in values or _same(*values):
            continue
        # A run whose config names no seed goes on with the one it drew.
        if place == 'randomness.seed' and None in values:
            continue
        if place in LENGTHS and _is_raised(*values):
            continue
        found.append(_difference(place, *values))
    return found


def longer(then: Record, now: Record) -> List[str]:
    """Say where a training is to last longer than it was begun for.

    Args:
        then (dict): Of the run that was begun; from a file, so anything.
        now (dict): Of the one that would continue it.

    Returns:
        List[str]: 'place: then A, now B'.
    """
    return [
        _difference(place, then[place], now[place])
        for place in LENGTHS
        if _is_raised(then.get(place), now.get(place))
    ]


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _flat(
    place: str, value: Any, roots: List[str]
) -> Iterable[Tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, item in value.items():
            # `_scope_` and its like only say where a name was written.
            if key != 'data_root' and not str(key).startswith('_'):
                yield from _flat(f'{place}.{key}'.strip('.'), item, roots)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _flat(f'{place}[{index}]', item, roots)
    elif isinstance(value, str):
        root = next((root for root in roots if value.startswith(root)), '')
        yield place, value[len(root) :].lstrip('/') if root else value
    elif isinstance(value, (bool, int, float)) or value is UNKNOWN:
        yield place, value
    elif value is not None:
        yield place, getattr(value, '__qualname__', type(value).__name__)


def _value(node: ast.AST) -> Any:
    """A plain value, of which a config is made of; nothing is called."""
    if isinstance(node, ast.Call):
        name = getattr(node.func, 'id', None)
        if name == 'dict' and not node.args:
            return {item.arg: _value(item.value) for item in node.keywords}
        return UNKNOWN
    if isinstance(node, ast.Dict):
        return {
            ast.literal_eval(key): _value(value)
            for key, value in zip(node.keys, node.values, strict=True)
        }
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_value(item) for item in node.elts]
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError):
        return UNKNOWN


def _listed(names: Any) -> Any:
    return None if names is None else ', '.join(map(str, names))


def _digest(dataset: Any) -> int:
    """A number that another set of images, or of labels, hardly has."""
    info = getattr(dataset, 'get_data_info', None)
    if info is None or len(dataset) == 0:
        return 0
    step = max(1, len(dataset) // SAMPLES)
    digest = 0
    for index in islice(range(0, len(dataset), step), SAMPLES):
        sample = info(index)
        names = [
            PurePath(str(sample[key])).name
            for key in ('img_path', 'seg_map_path')
            if isinstance(sample.get(key), (str, PurePath))
        ]
        labels = [sample.get('gt_label')]
        for instance in sample.get('instances') or ():
            labels += [instance.get('bbox'), instance.get('bbox_label')]
        digest = crc32(repr((names, str(labels))).encode(), digest)
    return digest


def _validates(record: Record) -> bool:
    return any(place.startswith('val_') for place in record)


def _without_validation(record: Record) -> Record:
    return {k: v for k, v in record.items() if not k.startswith('val_')}


def _is_raised(then: Any, now: Any) -> bool:
    return isinstance(then, int) and isinstance(now, int) and then < now


def _difference(place: str, then: Any, now: Any) -> str:
    return f'{place}: then {_shown(then)}, now {_shown(now)}'


def _same(then: Any, now: Any) -> bool:
    return then == now or repr(then) == repr(now)  # NaN is no equal of itself


def _shown(value: Any) -> str:
    if value is None:
        return 'not set'
    text = repr(value)
    return text if len(text) <= 60 else f'{text[:57]}...'
