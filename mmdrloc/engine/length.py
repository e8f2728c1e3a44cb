"""Set the length of a training, and scale its schedule with it."""

from typing import Any, Optional, Sequence

from mmengine.config import Config

from mmdrloc.utils.config_walk import dicts_in, kind_of
from mmdrloc.utils.errors import UsageError

FOREVER = 10**9
# Settings of schedulers. MMEngine takes fractions of epochs for the first, of
# the others :func:`in_iterations` makes whole iterations.
PLACES = ('begin', 'end', 'T_max', 'warmup', 'total')
WHOLE_PLACES = ('milestones', 'step_size', 'periods', 'total_steps')
OF_HOOKS = """
    warmup_epochs total_epochs frozen_epochs switch_epoch
    num_last_epochs begin_epoch begin_iter action_epoch
""".split()


def scale_schedule(
    cfg: Config, epochs: Optional[int] = None, iters: Optional[int] = None
) -> None:
    """Train for another length, with warm-up, decay and hooks in proportion.

    Intervals of validations and checkpoints shrink with a training, and do
    not grow.

    Args:
        cfg (Config): With its data, before any option; changed in place.
        epochs (int, optional): Length in epochs.
        iters (int, optional): Length in iterations.

    Raises:
        UsageError: If it is not one length, in the unit of the config.
    """
    loop = cfg.get('train_cfg') or {}
    unit = 'iters' if 'max_iters' in loop else 'epochs'
    new, other = (epochs, iters) if unit == 'epochs' else (iters, epochs)
    old = loop.get(f'max_{unit}')
    if not old or other is not None or not new or new < 1:
        raise UsageError(
            f'this config trains for {old} {unit}: give another length with '
            f'--{unit} alone, 1 at least.'
        )
    ratio = new / old
    shorter = min(ratio, 1)
    loop[f'max_{unit}'] = new
    hooks = cfg.get('default_hooks') or {}
    _scale(loop, ('val_interval', 'val_begin'), shorter)
    if loop.get('dynamic_intervals'):
        loop['dynamic_intervals'] = [
            (_scaled(begin, ratio), _scaled(interval, shorter))
            for begin, interval in loop['dynamic_intervals']
        ]
    checkpoint = hooks.get('checkpoint') or {}
    _scale(checkpoint, ('interval', 'save_begin'), shorter)
    for _, hook in dicts_in([hooks, cfg.get('custom_hooks')]):
        if kind_of(hook) == 'DRLocWeightHook':
            hook.setdefault('warmup_epochs', 20)  # the hook's own default
        _scale(hook, OF_HOOKS, ratio)
    for _, one in dicts_in(cfg.get('param_scheduler')):
        places = (*PLACES, *WHOLE_PLACES)
        _scale(one, places, ratio, not one.get('by_epoch', True))
        if any(_is_fraction(one.get(p)) for p in places if p != 'T_max'):
            one['convert_to_iter_based'] = True


def _scale(
    node: dict, keys: Sequence[str], ratio: float, whole: bool = True
) -> None:
    """Scale what is there; see :func:`_scaled`."""
    for key in keys:
        if node.get(key) is not None:
            node[key] = _scaled(node[key], ratio, whole)


def _scaled(value: Any, ratio: float, whole: bool = True) -> Any:
    """A number or a list of them: whole ones, 1 at least, or not."""
    if isinstance(value, (list, tuple)):
        return [_scaled(one, ratio, whole) for one in value]
    if value <= 0:  # the beginning, or never
        return value
    exact = round(value * ratio, 6)
    is_whole = whole or exact == int(exact)
    return max(1, round(exact)) if is_whole else exact


def _is_fraction(value: Any) -> bool:
    is_list = isinstance(value, list)
    return any(isinstance(n, float) for n in (value if is_list else [value]))


def in_iterations(scheduler: dict, epoch_length: int) -> dict:
    """Count a step schedule in iterations, where its epochs are fractions.

    MMEngine would multiply, and compare a fraction with iterations.
    """
    whole = {key: scheduler[key] for key in WHOLE_PLACES if key in scheduler}
    if not scheduler.get('convert_to_iter_based') or not whole:
        return scheduler
    one = {**scheduler, 'by_epoch': False}
    one.pop('convert_to_iter_based')
    _scale(one, ('begin', 'end', *WHOLE_PLACES), epoch_length)
    return one


def steps(scheduler: dict, epoch_length: int) -> int:
    """How many steps a scheduler takes, with so many iterations an epoch."""
    length = epoch_length if scheduler.get('convert_to_iter_based') else 1
    begin, end = scheduler.get('begin', 0), scheduler.get('end') or FOREVER
    return int(end * length) - int(begin * length)
