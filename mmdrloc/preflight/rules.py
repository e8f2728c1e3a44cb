"""Rules for settings that build and run in silence, and ruin a training."""

import inspect
from importlib.util import find_spec
from numbers import Real
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Sequence,
    Tuple,
)

from mmengine.config import Config
from mmengine.registry import MODELS
from mmengine.runner import Runner

from mmdrloc.checkpoints.reading import TRUST_IT, files_are_trusted
from mmdrloc.utils.config_walk import at, dicts_in
from mmdrloc.utils.errors import nearest

LIBRARIES = ('mmpretrain', 'mmdet', 'mmseg', 'mmdrloc')
# How alike a key must be to a known one to be a typing error.
ALIKE = 0.85
# Written like keys of the Runner, and none: variables of many configs.
SCHEDULER = 'param_scheduler'
VARIABLES = ('train_pipeline', 'val_pipeline', 'test_pipeline')
TOP_LEVEL = {
    *inspect.signature(Runner.__init__).parameters,
    *VARIABLES,
    *('custom_imports', 'tta_model', 'tta_pipeline', 'runner_type'),
} - {'self', 'cfg'}
# Dicts of which other keys are ignored.
READ = {
    '': TOP_LEVEL,
    'default_hooks': (
        'runtime_info timer sampler_seed logger param_scheduler checkpoint '
        'visualization'
    ).split(),
    'auto_scale_lr': ('enable', 'base_batch_size'),
    'optim_wrapper.clip_grad': (
        'type max_norm norm_type error_if_nonfinite foreach clip_value'
    ).split(),
    'optim_wrapper.paramwise_cfg': (
        'bias_decay_mult bias_lr_mult bypass_duplicate custom_keys '
        'dcn_offset_lr_mult decay_rate decay_type dwconv_decay_mult '
        'flat_decay_mult layer_decay_rate norm_decay_mult num_layers'
    ).split(),
}
MULTIPLIERS = ('lr_mult', 'decay_mult')
# What numbers must be; of many other keys the class itself says so.
Check = Tuple[str, Callable[[Any], bool]]
COUNT: Check = ('a whole number from 1 up', lambda n: n >= 1 and n % 1 == 0)
SEED: Check = ('a whole number from 0 up', lambda n: n >= 0 and n % 1 == 0)
POSITIVE: Check = ('a number above 0', lambda n: 0 < n < float('inf'))
SHARE: Check = ('a number from 0 to below 1', lambda n: 0 <= n < 1)
NUMBERS = {
    'train_cfg.max_epochs': COUNT,
    'train_cfg.max_iters': COUNT,
    'train_cfg.val_interval': COUNT,
    'train_dataloader.batch_size': COUNT,
    'default_hooks.checkpoint.interval': COUNT,
    'model.backbone.img_size': COUNT,
    'model.backbone.window_size': COUNT,
    'model.head.num_classes': COUNT,
    'randomness.seed': SEED,
    'optim_wrapper.optimizer.lr': POSITIVE,
    'optim_wrapper.clip_grad.max_norm': POSITIVE,
    'optim_wrapper.clip_grad.clip_value': POSITIVE,
    'env_cfg.dist_cfg.timeout': POSITIVE,
    'optim_wrapper.optimizer.momentum': SHARE,
    'model.backbone.drop_path_rate': SHARE,
}
# Any text counts as True.
SWITCHES = (
    'randomness.deterministic',
    'randomness.diff_rank_seed',
    'env_cfg.cudnn_benchmark',
    'auto_scale_lr.enable',
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
    problems = [*_missing(cfg, phases), *_misspelt(cfg), *_pickled(cfg)]
    problems += _topk(cfg, phases)
    if 'train' in phases:
        problems += _values(cfg)
        for key, node in dicts_in(cfg.get('param_scheduler'), SCHEDULER):
            problems += _schedule(cfg, key, node) if 'type' in node else []
    return problems


def _missing(cfg: Config, phases: Sequence[str]) -> Iterator[str]:
    """What a phase needs and the config does not have."""
    needed = ['model']
    for phase in phases:
        last = 'optim_wrapper' if phase == 'train' else f'{phase}_evaluator'
        loader = f'{phase}_dataloader'
        needed += [f'{phase}_cfg', loader, f'{loader}.dataset', last]
    if not at(cfg, 'optim_wrapper.constructor') and 'train' in phases:
        needed.append('optim_wrapper.optimizer')
    for key in needed:
        node, parent = at(cfg, key), key.rpartition('.')[0]
        if parent and not isinstance(at(cfg, parent), dict):
            continue
        if node in (None, []):
            yield (
                f'the config has no `{key}`: inherit it from a file in _base_ '
                'or write it.'
            )
        elif not isinstance(node, (dict, list)):
            yield f'{key} is {node!r}: it must be a dict.'
    for key in ('default_hooks', 'visualizer', 'env_cfg', 'randomness'):
        if not isinstance(cfg.get(key) or {}, dict):
            yield f'{key} is {cfg[key]!r}: it must be a dict.'


def _misspelt(cfg: Config) -> Iterator[str]:
    """Keys that are nearly one of those that are read.

    Others may be variables of the config.
    """
    custom = at(cfg, 'optim_wrapper.paramwise_cfg.custom_keys') or {}
    keys = [(place, at(cfg, place), known) for place, known in READ.items()]
    keys += [
        (f"custom_keys['{k}']", v, MULTIPLIERS) for k, v in custom.items()
    ]
    for place, node, known in keys:
        for key in node if isinstance(node, (Config, dict)) else ():
            near = key not in known and nearest(str(key), known, ALIKE)
            if near and near not in VARIABLES:
                name = f'{place}.{key}'.lstrip('.')
                yield f'{name}: nothing reads `{key}`: did you mean `{near}`?'


def _pickled(cfg: Config) -> Iterator[str]:
    """Files that data sets unpickle themselves, past MMEngine's readers.

    mmseg does with images, mmdet's OpenImages with its class hierarchy.
    """
    for place, node in () if files_are_trusted() else dicts_in(dict(cfg)):
        key = 'hierarchy_file'
        if node.get('decode_backend') == 'pickle':
            key = 'decode_backend'
        if node.get(key):
            yield f'{place}.{key} would run what files contain: {TRUST_IT}'


def _values(cfg: Config) -> Iterator[str]:
    """Values with which a training does nothing, or the wrong thing."""
    for key, (words, is_good) in NUMBERS.items():
        value = at(cfg, key)
        # MMEngine's word for never.
        if key.endswith('checkpoint.interval') and value == -1:
            continue
        is_wrong = isinstance(value, Real) and not is_good(value)
        if isinstance(value, str) or is_wrong:
            yield f'{key} is {value!r}: it must be {words}.'
    for key in SWITCHES:
        if isinstance(at(cfg, key), str):
            yield f'{key} is {at(cfg, key)!r}: it must be True or False.'
    begin = at(cfg, 'train_cfg.val_begin') or 0
    length = at(cfg, 'train_cfg.max_epochs') or at(cfg, 'train_cfg.max_iters')
    # One more than the length is how upstream says never.
    if cfg.get('val_cfg') is not None and _below(length, begin - 1):
        yield (
            f'train_cfg.val_begin is {begin}, the training ends at {length}: '
            'it would never be validated, lower val_begin.'
        )
    for key in ('data_preprocessor.std', 'model.data_preprocessor.std'):
        std = at(cfg, key)
        if isinstance(std, (list, tuple)) and 0 in std:
            yield f'{key} is {std}: images are divided by it.'
    rate = at(cfg, 'optim_wrapper.paramwise_cfg.layer_decay_rate')
    if rate is not None and not at(cfg, 'optim_wrapper.constructor'):
        yield (
            'optim_wrapper.paramwise_cfg.layer_decay_rate is read by a '
            'constructor alone: write optim_wrapper.constructor='
            "'LearningRateDecayOptimWrapperConstructor'."
        )


def _topk(cfg: Config, phases: Sequence[str]) -> Iterator[str]:
    """Top-5 among three classes is always right."""
    classes = at(cfg, 'model.head.num_classes')
    nodes = list(dicts_in(at(cfg, 'model.head'), 'model.head'))
    for key in (f'{p}_evaluator' for p in phases if p != 'train'):
        nodes += dicts_in(cfg.get(key), key)
    for place, node in nodes:
        topk = node.get('topk', 1)
        for most in topk if isinstance(topk, (list, tuple)) else [topk]:
            if isinstance(classes, int) and 0 < classes < most:
                yield (
                    f'{place}.topk has {most}, model.head has '
                    f'num_classes={classes}: leave {most} out.'
                )


def _schedule(cfg: Config, key: str, scheduler: Dict[str, Any]) -> List[str]:
    """A schedule that never acts, or divides by zero in the midst."""
    by_epoch = scheduler.get('by_epoch', True)
    unit, longest = 'epoch', 'max_epochs'
    if not by_epoch:
        unit, longest = 'iteration', 'max_iters'
    loop = at(cfg, 'train_cfg') or {}
    begin = scheduler.get('begin', 0)
    end = scheduler.get('end', loop.get(longest))
    milestones = list(scheduler.get('milestones') or ())
    if by_epoch and (
        str(loop.get('type')).endswith('IterBasedTrainLoop')
        or loop.get('by_epoch') is False
    ):
        said = (
            'counts epochs, the training counts iterations: write '
            'by_epoch=False, and its `end` in iterations'
        )
    elif _below(scheduler.get('T_max'), 1):
        said = f'has T_max={scheduler["T_max"]}: it must be 1 at least'
    elif _below(begin, 0):
        said = f'has begin={begin}: it must be 0 at least'
    elif milestones != sorted(milestones):
        said = f'has the milestones {milestones}: give them in order'
    elif _below(end, begin + 1) and loop.get(longest) != 0:
        said = (
            f'begins at {unit} {begin} and ends at {unit} {end}: raise its '
            f'`end` (by default train_cfg.{longest}), or lower its `begin` '
            'and the `end` of the one before it (a shorter warm-up)'
        )
    else:
        return []
    return [f'{key} ({scheduler["type"]}) {said}.']


def _below(value: Any, least: Any) -> bool:
    return isinstance(value, Real) and value < least
