"""Rules for settings that build and run in silence, and ruin a training."""

import inspect
import math
from importlib.util import find_spec
from numbers import Real
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Sequence,
    Tuple,
)

from mmengine.config import Config
from mmengine.registry import MODELS
from mmengine.runner import Runner
from torch.nn.utils import clip_grad_norm_, clip_grad_value_

from mmdrloc.utils.errors import nearest

LIBRARIES = ('mmpretrain', 'mmdet', 'mmseg', 'mmdrloc')
# How alike a key must be to a known one to be a slip of the pen.
SLIP = 0.85
# Written like keys of the Runner, and none: variables of many configs.
VARIABLES = ('train_pipeline', 'val_pipeline', 'test_pipeline')
# Dicts of which other keys are ignored.
READ = dict(
    default_hooks=(
        'runtime_info',
        'timer',
        'sampler_seed',
        'logger',
        'param_scheduler',
        'checkpoint',
        'visualization',
    ),
    auto_scale_lr=('enable', 'base_batch_size'),
)
PARAMWISE = (
    'bias_decay_mult',
    'bias_lr_mult',
    'bypass_duplicate',
    'custom_keys',
    'dcn_offset_lr_mult',
    'decay_rate',
    'decay_type',
    'dwconv_decay_mult',
    'flat_decay_mult',
    'layer_decay_rate',
    'norm_decay_mult',
    'num_layers',
)
CLIPPING = {'type'}.union(
    *(
        inspect.signature(function).parameters
        for function in (clip_grad_norm_, clip_grad_value_)
    )
) - {'parameters'}
MULTIPLIERS = ('lr_mult', 'decay_mult')
DICTS = (
    'model',
    'model.backbone',
    'optim_wrapper',
    'optim_wrapper.optimizer',
    'default_hooks',
    'train_cfg',
    'train_dataloader',
    'train_dataloader.dataset',
)
# What numbers must be; of many other keys the class itself says so.
NUMBERS: Tuple[Tuple[str, Callable[[Any], bool], Tuple[str, ...]], ...] = (
    (
        'a whole number from 1 up',
        lambda value: value >= 1 and value % 1 == 0,
        (
            'train_cfg.max_epochs',
            'train_cfg.max_iters',
            'train_cfg.val_interval',
            'train_dataloader.batch_size',
            'default_hooks.checkpoint.interval',
            'model.backbone.img_size',
            'model.head.num_classes',
        ),
    ),
    (
        'a whole number from 0 up',
        lambda value: value >= 0 and value % 1 == 0,
        ('randomness.seed',),
    ),
    (
        'a number above 0',
        lambda value: 0 < value < math.inf,
        (
            'optim_wrapper.optimizer.lr',
            'optim_wrapper.clip_grad.max_norm',
            'optim_wrapper.clip_grad.clip_value',
        ),
    ),
    (
        'a number from 0 to below 1',
        lambda value: 0 <= value < 1,
        ('optim_wrapper.optimizer.momentum', 'model.backbone.drop_path_rate'),
    ),
)


def broken_rules(cfg: Config, phases: Sequence[str]) -> List[str]:
    """Look for settings that nothing else complains of.

    Args:
        cfg (Config): The whole config.
        phases (Sequence[str]): Which loops will run: 'train', 'val', 'test'.

    Returns:
        list[str]: One sentence for each problem; it begins with the key.
    """
    scope = cfg.get('default_scope') or 'mmengine'
    if scope not in MODELS.children and find_spec(str(scope)) is None:
        near = nearest(str(scope), LIBRARIES)
        remedy = f'write {near!r}' if near else 'correct it'
        return [f'default_scope is {scope!r}, which is no library: {remedy}.']
    problems = [
        f'{key} is {at(cfg, key)!r}: it must be a dict.'
        for key in DICTS
        if not isinstance(at(cfg, key), (dict, type(None)))
    ]
    if problems:
        return problems
    problems = _missing(cfg, phases) + _misspelt_keys(cfg)
    for phase in phases:
        problems += _topk(cfg, phase)
    if 'train' in phases:
        problems += _numbers(cfg)
        for key, scheduler in _schedulers(cfg.get('param_scheduler')):
            problems += _schedule(cfg, key, scheduler)
    return problems


def at(cfg: Any, key: str) -> Any:
    """What a config has under a key such as 'train_cfg.max_iters'."""
    for part in key.split('.'):
        cfg = cfg.get(part) if isinstance(cfg, (Config, dict)) else None
    return cfg


def _missing(cfg: Config, phases: Sequence[str]) -> List[str]:
    """Whatever a phase needs and the config does not have."""
    needed = ['model']
    for phase in phases:
        last = 'optim_wrapper' if phase == 'train' else f'{phase}_evaluator'
        parts = [f'{phase}_dataloader', f'{phase}_cfg', last]
        # MMEngine refuses a validation by halves by itself.
        if phase == 'train' or not any(cfg.get(part) for part in parts):
            needed += parts
        if cfg.get(last) == []:
            needed.append(f'{last}[0]')
        if isinstance(cfg.get(parts[0]), dict):
            needed.append(f'{parts[0]}.dataset')
    if 'train' in phases and not at(cfg, 'optim_wrapper.constructor'):
        needed.append('optim_wrapper.optimizer')
    return [
        f'the config has no `{key}`: inherit it from a file in _base_ or '
        'write it.'
        for key in needed
        if at(cfg, key) is None
    ]


def _misspelt_keys(cfg: Config) -> List[str]:
    """Keys that are nearly one of those that are read.

    Others may be variables of the config.
    """
    top = {*inspect.signature(Runner.__init__).parameters, *VARIABLES}
    top |= {'custom_imports', 'tta_model', 'tta_pipeline', 'runner_type'}
    problems = _slips('', cfg, top - {'self', 'cfg'})
    for key, known in READ.items():
        problems += _slips(key, at(cfg, key), known)
    clip = at(cfg, 'optim_wrapper.clip_grad')
    for key in clip if isinstance(clip, dict) else ():
        if key not in CLIPPING:
            near = nearest(key, CLIPPING)
            remedy = f'did you mean `{near}`?' if near else 'remove it.'
            problems.append(
                f'optim_wrapper.clip_grad.{key}: nothing reads `{key}`: '
                f'{remedy}'
            )
    key = 'optim_wrapper.paramwise_cfg'
    problems += _slips(key, at(cfg, key), PARAMWISE)
    custom = at(cfg, f'{key}.custom_keys')
    for name, node in custom.items() if isinstance(custom, dict) else ():
        place = f"{key}.custom_keys['{name}']"
        problems += _slips(place, node, MULTIPLIERS)
    return problems


def _slips(place: str, node: Any, known: Iterable[str]) -> List[str]:
    if not isinstance(node, (Config, dict)):
        return []
    problems = []
    for key in node:
        near = key not in known and nearest(str(key), known, SLIP)
        if near and near not in VARIABLES:
            name = f'{place}.{key}'.lstrip('.')
            problems.append(
                f'{name}: nothing reads `{key}`: did you mean `{near}`?'
            )
    return problems


def _numbers(cfg: Config) -> List[str]:
    """Numbers with which a training does nothing, or the wrong thing."""
    problems = []
    for words, is_good, keys in NUMBERS:
        for key in keys:
            value = at(cfg, key)
            # MMEngine's word for never.
            if key.endswith('checkpoint.interval') and value == -1:
                continue
            is_number = isinstance(value, Real)
            if isinstance(value, str) or (is_number and not is_good(value)):
                problems.append(f'{key} is {value!r}: it must be {words}.')
    begin, length = at(cfg, 'train_cfg.val_begin'), _length(cfg)
    # One more than the length is how upstream says never.
    if (
        isinstance(begin, (int, float))
        and isinstance(length, (int, float))
        and cfg.get('val_cfg') is not None
        and begin > length + 1
    ):
        problems.append(
            f'train_cfg.val_begin is {begin}, the training ends at {length}: '
            'it would never be validated, lower val_begin.'
        )
    return problems


def _length(cfg: Config) -> Any:
    return at(cfg, 'train_cfg.max_epochs') or at(cfg, 'train_cfg.max_iters')


def _topk(cfg: Config, phase: str) -> List[str]:
    """Top-5 among three classes is always right."""
    classes = at(cfg, 'model.head.num_classes')
    if not isinstance(classes, int) or classes < 1:
        return []
    nodes = {'model.head': at(cfg, 'model.head')}
    if phase != 'train':
        evaluators = cfg.get(f'{phase}_evaluator')
        several = isinstance(evaluators, (list, tuple))
        for index, node in enumerate(evaluators if several else [evaluators]):
            nodes[f'{phase}_evaluator{f"[{index}]" * several}'] = node
    problems = []
    for place, node in nodes.items():
        topk = node.get('topk', 1) if isinstance(node, dict) else 1
        for most in topk if isinstance(topk, (list, tuple)) else [topk]:
            if isinstance(most, int) and most > classes:
                problems.append(
                    f'{place}.topk has {most}, model.head has '
                    f'num_classes={classes}: leave {most} out.'
                )
    return problems


def _schedulers(
    node: Any, key: str = 'param_scheduler'
) -> Iterator[Tuple[str, Dict[str, Any]]]:
    """Every scheduler: one, several in a list, or either by optimizer."""
    if isinstance(node, (list, tuple)):
        for index, item in enumerate(node):
            yield from _schedulers(item, f'{key}[{index}]')
    elif isinstance(node, dict) and 'type' in node:
        yield key, node
    elif isinstance(node, dict):
        for name, item in node.items():
            yield from _schedulers(item, f'{key}.{name}')


def _schedule(cfg: Config, key: str, scheduler: Dict[str, Any]) -> List[str]:
    """A schedule that never acts, or divides by zero in the midst."""
    name = f'{key} ({scheduler["type"]})'
    period = scheduler.get('T_max')
    if isinstance(period, Real) and period < 1:
        return [f'{key}.T_max is {period}: it must be 1 at least.']
    by_epoch = scheduler.get('by_epoch', True)
    loop = str(at(cfg, 'train_cfg.type') or '')
    if by_epoch and (
        loop.endswith('IterBasedTrainLoop')
        or at(cfg, 'train_cfg.by_epoch') is False
    ):
        return [
            f'{name} counts epochs, the training counts iterations: write '
            'by_epoch=False, and its `end` in iterations.'
        ]
    unit = 'epoch' if by_epoch else 'iteration'
    longest = 'max_epochs' if by_epoch else 'max_iters'
    begin = scheduler.get('begin', 0)
    length = at(cfg, f'train_cfg.{longest}')
    end = scheduler.get('end', length)
    numbers = isinstance(begin, Real) and isinstance(end, Real)
    if not numbers or begin < end or length == 0:
        return []
    remedy = 'raise its `end`, or lower its `begin`.'
    if 'end' not in scheduler:
        remedy = (
            f'raise train_cfg.{longest}, or lower its `begin` and the `end` '
            'of the one before it (a shorter warm-up).'
        )
    return [
        f'{name} begins at {unit} {begin} and ends at {unit} {end}: {remedy}'
    ]
