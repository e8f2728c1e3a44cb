"""Set the length of a training, and scale its schedule with it."""

from typing import Any, Optional, Sequence

from mmengine.config import Config

from mmdrloc.utils.config_walk import dicts_in
from mmdrloc.utils.distributed import process_count
from mmdrloc.utils.errors import UsageError

# Of schedulers; MMEngine takes fractions of epochs for the first ones.
PLACES = ('begin', 'end', 'T_max', 'warmup', 'total')
WHOLE_PLACES = ('milestones', 'step_size', 'periods', 'total_steps')
OF_HOOKS = ['warmup_epochs', 'total_epochs', 'frozen_epochs', 'switch_epoch']
OF_HOOKS += ['num_last_epochs', 'begin_epoch', 'begin_iter', 'action_epoch']
# Iterations in an epoch, where nothing says how many images there are.
USUAL_EPOCH = 1000


def scale_schedule(
    cfg: Config, epochs: Optional[int] = None, iters: Optional[int] = None
) -> None:
    """Train for another length, with warm-up, decay and hooks in proportion.

    A recipe in epochs may be given iterations, and the reverse. Intervals of
    validations and checkpoints shrink with a training, and do not grow; in
    iterations they are no shorter than an epoch was.

    Args:
        cfg (Config): With its data, before any option; changed in place.
        epochs (int, optional): Length in epochs.
        iters (int, optional): Length in iterations; one of the two.

    Raises:
        UsageError: If the length is none, or the config has none.
    """
    loop = cfg.get('train_cfg') or {}
    unit, new = ('epochs', epochs) if iters is None else ('iters', iters)
    was = 'epochs' if 'max_epochs' in loop else 'iters'
    old = loop.pop(f'max_{was}', None)
    if (epochs is None) == (iters is None) or new < 1 or not old:
        raise UsageError(
            'give either --epochs or --iters, 1 at least, for a config that '
            'has train_cfg.max_epochs or train_cfg.max_iters.'
        )
    loop[f'max_{unit}'] = new
    ratio = overall = new / old
    intervals, least = min(ratio, 1), 1
    if unit != was:
        epoch = _epoch_length(cfg) or USUAL_EPOCH
        overall *= epoch if unit == 'epochs' else 1 / epoch
        intervals, least = ratio, min(epoch, new) if unit == 'iters' else 1
        _change_unit(cfg, by_epoch=unit == 'epochs')
    _scale(loop, ('val_interval', 'val_begin'), intervals, least)
    hooks = cfg.get('default_hooks') or {}
    _scale(hooks.get('checkpoint') or {}, ('interval',), intervals, least)
    _scale_schedulers(cfg, was, unit, ratio, overall)
    for _, hook in dicts_in([hooks, cfg.get('custom_hooks')]):
        if str(hook.get('type')).endswith('DRLocWeightHook'):
            hook.setdefault('warmup_epochs', 20)  # the hook's own default
        _scale(hook, OF_HOOKS, overall)


def _scale_schedulers(
    cfg: Config, was: str, unit: str, ratio: float, overall: float
) -> None:
    """Those in the unit of the training have its ratio, in the new unit."""
    short = []
    for _, one in dicts_in(cfg.get('param_scheduler')):
        if 'type' not in one:
            continue
        if one.setdefault('by_epoch', True) == (was == 'epochs'):
            factor, one['by_epoch'] = ratio, unit == 'epochs'
        else:
            factor = overall
        if not one['by_epoch']:
            one.pop('convert_to_iter_based', None)
        _scale(one, PLACES, factor, 0 if one['by_epoch'] else 1)
        _scale(one, WHOLE_PLACES, factor)
        begin, end = one.get('begin', 0), one.get('end')
        if any(isinstance(place, float) for place in (begin, end)):
            one['convert_to_iter_based'] = True
        converted = one.get('convert_to_iter_based', False)
        step = (_epoch_length(cfg) or 1) if converted else 1
        if end is not None and int(end * step) - int(begin * step) < 2:
            short.append(one)
    # MMEngine stays for ever where a warm-up of a single step begins.
    if isinstance(cfg.get('param_scheduler'), list):
        cfg.param_scheduler = [
            one for one in cfg.param_scheduler if one not in short
        ]


def _scale(
    node: dict, keys: Sequence[str], ratio: float, least: int = 1
) -> None:
    for key in keys:
        if node.get(key) is not None:
            node[key] = _scaled(node[key], ratio, least)


def _scaled(value: Any, ratio: float, least: int) -> Any:
    """A whole number, at least ``least``; with 0 for that also a fraction."""
    if isinstance(value, (list, tuple)):
        return [_scaled(item, ratio, least) for item in value]
    if value <= 0:  # the beginning, or never
        return value
    exact = round(value * ratio, 6)
    if least or exact == int(exact):
        return max(round(exact), least)
    return exact


def _epoch_length(cfg: Config) -> Optional[int]:
    """Iterations in an epoch; None where the images are not known."""
    images = (cfg.get('run') or {}).get('images') or [None]
    batch = (cfg.get('train_dataloader') or {}).get('batch_size')
    if not images[0] or not batch:
        return None
    return max(1, images[0] // (batch * process_count()))


def _change_unit(cfg: Config, by_epoch: bool) -> None:
    loop = cfg.train_cfg
    loop.pop('type', None)
    loop.by_epoch = by_epoch
    # MMEngine's defaults, in the unit that was.
    loop.setdefault('val_interval', 1000 if by_epoch else 1)
    cfg.merge_from_dict({'log_processor.by_epoch': by_epoch})
    hooks = cfg.get('default_hooks') or {}
    if hooks.get('checkpoint', {}) is not None:
        key = 'default_hooks.checkpoint'
        cfg.merge_from_dict({f'{key}.by_epoch': by_epoch})
        cfg.default_hooks.checkpoint.setdefault('interval', 1)
    sampler = (cfg.get('train_dataloader') or {}).get('sampler') or {}
    if by_epoch and str(sampler.get('type')).endswith('InfiniteSampler'):
        sampler['type'] = 'DefaultSampler'
