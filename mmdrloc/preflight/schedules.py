"""Schedules: their units and their lengths against the training's."""

from typing import Any, Dict, Iterator, List, Tuple

from mmengine.config import Config

from .findings import joined
from .kinds import shortened


def empty_schedules(cfg: Config) -> List[str]:
    """Schedulers that end before they begin, which MMEngine cannot build.

    One that names no end takes the length of the training. Where that is
    counted in the other unit, it is not known before the data are read.
    """
    findings = []
    for name, scheduler in _schedulers(cfg):
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


def wrong_units(cfg: Config) -> List[str]:
    """Schedules that count epochs where the training has none."""
    loop = cfg.get('train_cfg') or {}
    kind = str(loop.get('type', '')) if isinstance(loop, dict) else ''
    if not kind.endswith('IterBasedTrainLoop') and (
        kind or not isinstance(loop, dict) or loop.get('by_epoch') is not False
    ):
        return []
    return [
        f'{name} ({scheduler["type"]}) counts epochs, the training counts '
        'iterations: write by_epoch=False, and its `end` in iterations.'
        for name, scheduler in _schedulers(cfg)
        if scheduler.get('by_epoch', True)
    ]


def bad_milestones(cfg: Config) -> List[str]:
    """Milestones that are no list, or in no order."""
    findings = []
    for name, scheduler in _schedulers(cfg):
        milestones = scheduler.get('milestones')
        place = f'{name}.milestones'
        if milestones is None:
            continue
        if not isinstance(milestones, (list, tuple)):
            findings.append(
                f'{place} is {shortened(milestones)}: write a list.'
            )
        elif list(milestones) != sorted(set(milestones)):
            findings.append(
                f'{place} are {joined(milestones)}: give them in ascending '
                'order, each once.'
            )
    return findings


def _schedulers(
    cfg: Config, node: Any = None, where: str = 'param_scheduler'
) -> Iterator[Tuple[str, Dict[str, Any]]]:
    """Every scheduler: its place in the config, its settings.

    There may be one, several in a list, or either for each optimizer.
    """
    node = cfg.get('param_scheduler') if node is None else node
    if isinstance(node, (list, tuple)):
        for index, item in enumerate(node):
            yield from _schedulers(cfg, item, f'{where}[{index}]')
    elif isinstance(node, dict) and 'type' in node:
        yield where, node
    elif isinstance(node, dict):
        for key, item in node.items():
            yield from _schedulers(cfg, item, f'{where}.{key}')
