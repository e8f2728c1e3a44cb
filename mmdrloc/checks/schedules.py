"""Schedules that the training is too short for."""

from typing import Any, Dict, Iterator, List, Tuple

from mmengine.config import Config


def empty_schedules(cfg: Config) -> List[str]:
    """Schedulers that end before they begin, which MMEngine cannot build.

    One that names no end takes the length of the training. Where that is
    counted in the other unit, it is not known before the data are read.
    """
    findings = []
    for name, scheduler in _schedulers(
        cfg.get('param_scheduler'), 'param_scheduler'
    ):
        by_epoch = scheduler.get('by_epoch', True)
        unit = 'epoch' if by_epoch else 'iteration'
        longest = 'max_epochs' if by_epoch else 'max_iters'
        begin = scheduler.get('begin', 0)
        length = (cfg.get('train_cfg') or {}).get(longest)
        end = scheduler.get('end', length)
        if end is None or begin < end:
            continue
        start = f'{name} ({scheduler["type"]}) begins at {unit} {begin}'
        if 'end' in scheduler:
            findings.append(
                f'{start} and ends at {unit} {end}: raise its `end`, or '
                'lower its `begin`.'
            )
        else:
            findings.append(
                f'{start}, when the training of {length} {unit}s is over: '
                f'raise train_cfg.{longest}, or lower its `begin` and the '
                '`end` of the one before it (a shorter warm-up).'
            )
    return findings


def _schedulers(node: Any, where: str) -> Iterator[Tuple[str, Dict[str, Any]]]:
    """Every scheduler: its place in the config, its settings.

    There may be one, several in a list, or either for each optimizer.
    """
    if isinstance(node, (list, tuple)):
        for index, item in enumerate(node):
            yield from _schedulers(item, f'{where}[{index}]')
    elif isinstance(node, dict) and 'type' in node:
        yield where, node
    elif isinstance(node, dict):
        for key, item in node.items():
            yield from _schedulers(item, f'{where}.{key}')
