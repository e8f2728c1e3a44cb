"""Keys that nobody reads."""

import inspect
from typing import Any, Dict, Iterable, List, Optional, Set

from mmengine.config import Config
from mmengine.optim import OptimWrapper
from mmengine.runner import (
    EpochBasedTrainLoop,
    IterBasedTrainLoop,
    LogProcessor,
    Runner,
    TestLoop,
    ValLoop,
)
from torch.nn.utils import clip_grad_norm_, clip_grad_value_
from torch.utils.data import DataLoader

from .names import class_at, instead, nearest
from .places import Place
from .signatures import module_source, parameters_of

# What MMEngine reads itself before a class is built.
READ_BY_ALL = {'type', '_scope_'}
READ_BEFORE = dict(
    HOOKS={'priority'},
    PARAM_SCHEDULERS={'convert_to_iter_based'},
    OPTIM_WRAPPERS={'optimizer', 'paramwise_cfg', 'constructor'},
    LOOPS={'by_epoch'},
)
OF_A_LOADER = {
    'batch_sampler',
    'disable_subprocess_warning',
    'num_batch_per_epoch',
}
DEFAULT_HOOKS = (
    'runtime_info',
    'timer',
    'sampler_seed',
    'logger',
    'param_scheduler',
    'checkpoint',
    'visualization',
)
SETTINGS = dict(
    auto_scale_lr={'enable', 'base_batch_size'},
    randomness={'seed', 'diff_rank_seed', 'deterministic'},
    env_cfg={'cudnn_benchmark', 'mp_cfg', 'dist_cfg', 'resource_limit'},
)
PARAMWISE = {
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
}
CLIPPING = {'type'}.union(
    *(
        inspect.signature(function).parameters
        for function in (clip_grad_norm_, clip_grad_value_)
    )
) - {'parameters'}
# Names that are written like a key of the Runner's and are none.
FREE = {'test_pipeline', 'val_pipeline', 'train_pipeline'}
# How alike a key must be to be a slip of the pen in a dict that takes any.
SLIP = 0.85


def unread_top_level(cfg: Config) -> List[str]:
    """Keys that are nearly one of those that a Runner reads.

    Others may be variables of the config.
    """
    read = set(inspect.signature(Runner.__init__).parameters) - {'self', 'cfg'}
    read |= {'custom_imports', 'tta_model', 'tta_pipeline', 'runner_type'}
    read |= {'model_wrapper_cfg', 'find_unused_parameters', 'sync_bn'}
    findings = []
    for key in cfg:
        near = nearest(key, read, SLIP)
        if near is not None and key not in read | FREE:
            findings.append(
                f'nothing reads `{key}` at the top of the config: write '
                f'`{near}`.'
            )
    for name, known in SETTINGS.items():
        findings += _unknown(name, cfg.get(name), known)
    return findings


def unread(place: Place) -> List[str]:
    """Keys of one dict that the class does not take."""
    if place.name == 'default_hooks':
        return _unknown(place.name, place.node, DEFAULT_HOOKS, is_open=True)
    found = _taken_at(place)
    if found is None:
        return []
    taken, is_open, who = found
    findings = []
    passed = READ_BY_ALL | READ_BEFORE.get(place.registry, set())
    for key in place.node:
        if key in taken | passed:
            continue
        near = nearest(key, taken, SLIP if is_open else 0.6)
        if (is_open and near is None) or _is_read_elsewhere(place, key):
            continue
        findings.append(
            f'{place.name}.{key}: {who} takes no `{key}`: {instead(near)}.'
        )
    if place.registry == 'OPTIM_WRAPPERS':
        for key, known, takes_any in (
            ('paramwise_cfg', PARAMWISE, True),
            ('clip_grad', CLIPPING, False),
        ):
            node = place.node.get(key)
            findings += _unknown(f'{place.name}.{key}', node, known, takes_any)
    return findings


def _unknown(
    name: str, node: Any, known: Iterable[str], is_open: bool = False
) -> List[str]:
    """Keys that are none of those that are read; if it is open, near them."""
    if not isinstance(node, dict):
        return []
    findings = []
    for key in node:
        if key in known or key in READ_BY_ALL:
            continue
        near = nearest(key, known, SLIP if is_open else 0.6)
        if not is_open or (near is not None and near not in node):
            findings.append(
                f'{name}.{key}: nothing reads `{key}`: {instead(near)}.'
            )
    return findings


def _taken_at(place: Place) -> Any:
    """What is taken at a place, whether others may be, and by whom."""
    kind = _default_kind(place) if place.kind is None else class_at(place)
    if kind is None or _is_in_parts(place):
        return None
    try:
        parameters, is_open = parameters_of(kind)
    except (TypeError, ValueError):  # written in C: nothing is known
        return None
    taken: Set[str] = set(parameters)
    if place.registry == 'LOADER':
        taken |= OF_A_LOADER
    return taken, is_open, getattr(kind, '__name__', place.label)


def _is_read_elsewhere(place: Place, key: str) -> bool:
    """Whether a class names this key in another way than as an argument.

    The one around may take it out; the one itself may know it by an old
    name.
    """
    kinds = [class_at(place)]
    if place.around is not None:
        kinds.append(class_at(place.around))
        if kinds[-1] is None:
            return True
    return any(
        f"'{key}'" in module_source(base.__module__)
        for kind in kinds
        for base in getattr(kind, '__mro__', ())
        if base.__module__.startswith(('mm', 'onedl'))
    )


def _is_in_parts(place: Place) -> bool:
    """Dicts whose reader takes some keys before the class is built."""
    key = place.name.rpartition('.')[2].partition('[')[0]
    return place.registry == 'MODELS' and key.endswith(
        ('norm_cfg', 'act_cfg', 'conv_cfg', 'upsample_cfg', 'pad_cfg')
    )


def _default_kind(place: Place) -> Optional[Any]:
    """The class of a dict without a `type`."""
    if place.registry == 'LOOPS':
        loops: Dict[str, Any] = dict(val_cfg=ValLoop, test_cfg=TestLoop)
        if 'by_epoch' in place.node:
            loops['train_cfg'] = (
                EpochBasedTrainLoop
                if place.node['by_epoch']
                else IterBasedTrainLoop
            )
        return loops.get(place.name)
    if place.registry == 'OPTIM_WRAPPERS' and 'optimizer' in place.node:
        return OptimWrapper
    if place.name == 'log_processor':
        return LogProcessor
    if place.registry == 'LOADER' and 'dataset' in place.node:
        return DataLoader
    return None
