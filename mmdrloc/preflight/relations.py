"""Settings that do not go together, and dicts that no class is named in."""

import logging
from numbers import Real
from typing import Any, Dict, Iterator, List, Sequence, Tuple

from mmengine.config import Config
from mmengine.runner import Priority, get_priority

from .findings import joined
from .keys import nearest
from .kinds import shortened
from .ranges import COUNT, FACTOR, NOT_NEGATIVE, POSITIVE, Range, beyond
from .schedules import bad_milestones, wrong_units
from .sources import evaluators_of

SEED = Range(0, 2**32 - 1, whole=True)
PRIORITIES = tuple(priority.name for priority in Priority)
METHODS = ('fork', 'spawn', 'forkserver')
MULTIPLIERS = ('lr_mult', 'decay_mult')


def bad_relations(cfg: Config, phases: Sequence[str]) -> List[str]:
    """Look at settings that depend on each other."""
    findings = _surroundings(cfg) + _pixels(cfg) + _halves(cfg)
    findings += _priorities(cfg)
    for phase in phases:
        findings += _workers(cfg, f'{phase}_dataloader')
        if phase != 'train':
            findings += _best_of_more(cfg, phase)
    if 'train' in phases:
        findings += _loop(cfg) + wrong_units(cfg) + _optimization(cfg)
        findings += bad_milestones(cfg)
    return findings


def _dict(node: Any, key: str) -> Dict[str, Any]:
    value = node.get(key) if isinstance(node, (Config, dict)) else None
    return value if isinstance(value, dict) else {}


def _surroundings(cfg: Config) -> List[str]:
    """Seed, reference batch, patience, level of the log."""
    randomness = cfg.get('randomness') or {}
    scaling = cfg.get('auto_scale_lr') or {}
    findings = beyond('randomness.seed', randomness.get('seed'), SEED)
    findings += beyond(
        'auto_scale_lr.base_batch_size', scaling.get('base_batch_size'), COUNT
    )
    findings += beyond(
        'env_cfg.dist_cfg.timeout',
        _dict(cfg.get('env_cfg'), 'dist_cfg').get('timeout'),
        POSITIVE,
    )
    switches = {
        'randomness.deterministic': randomness.get('deterministic'),
        'randomness.diff_rank_seed': randomness.get('diff_rank_seed'),
        'auto_scale_lr.enable': scaling.get('enable'),
        'resume': cfg.get('resume'),
    }
    findings += [
        f'{name} is {shortened(value)}: it must be True or False.'
        for name, value in switches.items()
        if not isinstance(value, (bool, type(None)))
    ]
    findings += [
        f'{name} is {shortened(cfg[name])}: it must be a path, in quotes.'
        for name in ('work_dir', 'load_from')
        if not isinstance(cfg.get(name), (str, type(None)))
    ]
    method = _dict(cfg.get('env_cfg'), 'mp_cfg').get('mp_start_method', 'fork')
    level = cfg.get('log_level', 'INFO')
    if not isinstance(level, str):
        level = 'INFO'  # a number is one too
    return findings + [
        f"{name} is {value!r}: write '{nearest(str(value), known, 0)}'."
        for name, value, known in (
            ('env_cfg.mp_cfg.mp_start_method', method, METHODS),
            ('log_level', level, tuple(logging._nameToLevel)),
        )
        if value not in known
    ]


def _priorities(cfg: Config) -> List[str]:
    """Names and numbers that give a hook its turn."""
    hooks = {
        f'default_hooks.{name}': hook
        for name, hook in (cfg.get('default_hooks') or {}).items()
    }
    for index, hook in enumerate(cfg.get('custom_hooks') or []):
        hooks[f'custom_hooks[{index}]'] = hook
    findings = []
    for name, hook in hooks.items():
        priority = _dict({'': hook}, '').get('priority', 'NORMAL')
        try:
            get_priority(priority)
        except (KeyError, TypeError, ValueError):
            findings.append(
                f'{name}.priority is {priority!r}: write a number from 0 to '
                f"100, or '{nearest(str(priority), PRIORITIES, 0)}'."
            )
    return findings


def _halves(cfg: Config) -> List[str]:
    """What MMEngine wants all of or none of."""
    findings = []
    for phase in ('val', 'test'):
        keys = [
            f'{phase}_{part}' for part in ('dataloader', 'cfg', 'evaluator')
        ]
        there = [key for key in keys if cfg.get(key) is not None]
        if len(there) in (1, 2):
            lacking = [key for key in keys if key not in there]
            findings.append(
                f'the config has {joined(there)} and no {joined(lacking)}: '
                'write it, or set all three to None.'
            )
        if cfg.get(keys[-1]) == []:
            findings.append(f'{keys[-1]} has no metric: write one.')
    return findings


def _pixels(cfg: Config) -> List[str]:
    """Means and standard deviations of the preprocessor."""
    model = cfg.get('model') or {}
    findings = []
    for name, node in (
        ('data_preprocessor', _dict(cfg, 'data_preprocessor')),
        ('model.data_preprocessor', _dict(model, 'data_preprocessor')),
    ):
        mean, std = node.get('mean'), node.get('std')
        if not isinstance(std, (list, tuple)):
            continue
        for value in std:
            if beyond('', value, POSITIVE):
                findings.append(
                    f'{name}.std has {value!r}: it must be {POSITIVE}.'
                )
        if isinstance(mean, (list, tuple)) and len(mean) != len(std):
            findings.append(
                f'{name}.mean has {len(mean)} values and std {len(std)}: give '
                'both one a channel.'
            )
        channels = _dict(model, 'backbone').get('in_channels')
        if isinstance(channels, int) and len(std) not in (1, channels):
            findings.append(
                f'{name}.std has {len(std)} values, model.backbone has '
                f'in_channels={channels}: give one a channel.'
            )
    return findings


def _workers(cfg: Config, name: str) -> List[str]:
    loader = cfg.get(name)
    if not isinstance(loader, dict):
        return []
    findings = []
    missing = {'dataset', 'sampler'} - set(loader)
    if loader.get('dataset') is None:
        missing.add('dataset')
    if 'batch_sampler' not in loader:
        missing |= {'batch_size'} - set(loader)
    findings += [
        f'{name} has no `{key}`: write it, or inherit it.'
        for key in sorted(missing)
    ]
    if loader.get('num_workers', 0) == 0:
        for key in ('persistent_workers', 'prefetch_factor'):
            if loader.get(key):
                findings.append(
                    f'{name}.{key} is {loader[key]} with num_workers=0: '
                    'remove it, or raise num_workers.'
                )
    return findings


def _best_of_more(cfg: Config, phase: str) -> List[str]:
    """Top-5 among three classes."""
    name = f'{phase}_evaluator'
    model = cfg.get('model') or {}
    head = _dict(model, 'head')
    classes = head.get('num_classes')
    # A number that cannot be is found by its range.
    if not isinstance(classes, int) or classes < 1:
        return []
    evaluators = evaluators_of(cfg, phase)
    places = [
        (f'{name}{f"[{i}]" * (len(evaluators) > 1)}', node)
        for i, node in enumerate(evaluators)
        if isinstance(node, dict)
    ]
    findings = []
    for place, node in [*places, ('model.head', head)]:
        topk = node.get('topk', 1)
        if topk in ([], ()):
            findings.append(f'{place}.topk is empty: give 1, or remove it.')
        for most in topk if isinstance(topk, (list, tuple)) else [topk]:
            if isinstance(most, int) and most > classes:
                findings.append(
                    f'{place}.topk has {most}, model.head has '
                    f'num_classes={classes}: leave {most} out.'
                )
    return findings


def _loop(cfg: Config) -> List[str]:
    """How the training is counted, and whether it is ever validated."""
    loop = cfg.get('train_cfg') or {}
    if not isinstance(loop, dict):
        return []
    findings = []
    if 'type' in loop and 'by_epoch' in loop:
        findings.append(
            'train_cfg has `type` and `by_epoch`: remove one of them.'
        )
    elif 'type' not in loop and 'by_epoch' not in loop:
        findings.append(
            'train_cfg has neither `by_epoch` nor `type`: write '
            'by_epoch=True with max_epochs, or by_epoch=False with max_iters.'
        )
    for by_epoch, key in ((True, 'max_epochs'), (False, 'max_iters')):
        if loop.get('by_epoch') is by_epoch and loop.get(key) is None:
            findings.append(f'train_cfg has no `{key}`: write it.')
    length = loop.get('max_epochs') or loop.get('max_iters')
    begin = loop.get('val_begin', 1)
    numbers = isinstance(length, Real) and isinstance(begin, Real)
    # One more than the length is how upstream says never.
    if numbers and cfg.get('val_cfg') is not None and begin > length + 1:
        findings.append(
            f'train_cfg.val_begin is {begin}, the training ends at {length}: '
            'it would never be validated, lower val_begin.'
        )
    return findings


def _optimization(cfg: Config) -> List[str]:
    wrapper = cfg.get('optim_wrapper')
    if not isinstance(wrapper, dict):
        return []
    clip = wrapper.get('clip_grad')
    findings = []
    # One for each of several optimizers has dicts of its own.
    several = any(
        isinstance(_dict(wrapper, k).get('optimizer'), dict) for k in wrapper
    )
    if wrapper.get('optimizer') is None and not several:
        findings.append(
            "optim_wrapper has no `optimizer`: write dict(type='SGD', lr=...)."
        )
    if clip is not None and not isinstance(clip, dict):
        findings.append(
            f'optim_wrapper.clip_grad is {shortened(clip)}: write '
            'dict(max_norm=...), or None.'
        )
    clip = _dict(wrapper, 'clip_grad')
    paramwise = _dict(wrapper, 'paramwise_cfg')
    for key in ('max_norm', 'clip_value'):
        name = f'optim_wrapper.clip_grad.{key}'
        findings += beyond(name, clip.get(key), POSITIVE)
    place = 'optim_wrapper.paramwise_cfg'
    for key in ('layer_decay_rate', 'decay_rate'):
        findings += beyond(f'{place}.{key}', paramwise.get(key), FACTOR)
    for key, value in _multipliers(paramwise):
        findings += beyond(f'{place}.{key}', value, NOT_NEGATIVE)
    return findings + _custom_keys(paramwise)


def _multipliers(paramwise: Dict[str, Any]) -> Iterator[Tuple[str, Any]]:
    for key, value in paramwise.items():
        if key.endswith('_mult'):
            yield key, value
    for name, node in _dict(paramwise, 'custom_keys').items():
        for key in MULTIPLIERS:
            if isinstance(node, dict) and key in node:
                yield f"custom_keys['{name}'].{key}", node[key]


def _custom_keys(paramwise: Dict[str, Any]) -> List[str]:
    findings = []
    for name, node in _dict(paramwise, 'custom_keys').items():
        if not isinstance(node, dict):
            findings.append(
                f"optim_wrapper.paramwise_cfg.custom_keys['{name}'] is "
                f'{shortened(node)}: write dict(lr_mult=...).'
            )
            continue
        for key in set(node) - set(MULTIPLIERS):
            near = nearest(key, MULTIPLIERS)
            if near:
                findings.append(
                    f"optim_wrapper.paramwise_cfg.custom_keys['{name}'].{key}"
                    f': nothing reads `{key}`: write `{near}`.'
                )
    return findings
