"""Build each part of a config by itself; exceptions become sentences."""

import copy
import inspect
import re
from functools import partial
from traceback import walk_tb
from typing import (
    Any,
    Callable,
    Dict,
    Iterator,
    List,
    Optional,
    Sequence,
    Tuple,
)

import torch
from mmengine.config import Config
from mmengine.dataset import BaseDataset
from mmengine.optim import build_optim_wrapper
from mmengine.registry import (
    DATA_SAMPLERS,
    DATASETS,
    FUNCTIONS,
    HOOKS,
    METRICS,
    MODELS,
    OPTIMIZERS,
    PARAM_SCHEDULERS,
    VISUALIZERS,
    DefaultScope,
    Registry,
)
from torch import nn

from mmdrloc.models.host import DRLocHost
from mmdrloc.utils.config_walk import at, class_of, dicts_in
from mmdrloc.utils.errors import UsageError, cause, nearest

UNKNOWN = re.compile(r"^['\"]?([^'\" ]+) is not in the (.*?) registry")
UNEXPECTED = re.compile(r"unexpected keyword argument '(\w+)'")
MISSING = re.compile(r'missing \d+ required .*arguments?: (.*)$')
# Where data sets and evaluators have others inside.
WRAPPED = ('dataset', 'datasets', 'metrics')


def build_parts(
    cfg: Config, phases: Sequence[str]
) -> Tuple[Dict[str, Any], List[str]]:
    """Build each part of a config; data sets without reading their data.

    Args:
        cfg (Config): The whole config.
        phases (Sequence[str]): Which loops will run: 'train', 'val', 'test'.

    Returns:
        tuple[dict, list[str]]: What was built, by key, and the first problem
        of each other part. A model whose DRLoc head is wrong is built
        without it.
    """
    built: Dict[str, Any] = {}
    problems = []
    cfg = copy.deepcopy(cfg)
    if isinstance(cfg.get('model'), dict) and cfg.get('data_preprocessor'):
        cfg.model.setdefault('data_preprocessor', cfg.data_preprocessor)
    if at(cfg, 'optim_wrapper.optimizer'):
        cfg.optim_wrapper.setdefault('type', 'OptimWrapper')
    scope = cfg.get('default_scope') or 'mmengine'
    with DefaultScope.overwrite_default_scope(scope):
        # Some hooks ask for the visualizer that was built last.
        VISUALIZERS.build(dict(type='Visualizer', name='preflight'))
        for key, build in _builders(phases, built).items():
            for place, node in _typed(at(cfg, key), key):
                try:
                    with torch.random.fork_rng(devices=[]):
                        built[place] = build(copy.deepcopy(node))
                except Exception as error:  # a class may be anyone's
                    problems.append(sentence(error, place, node))
                    if key == 'model':
                        built[key] = _without_drloc(node)
    return built, problems


def _builders(
    phases: Sequence[str], built: Dict[str, Any]
) -> Dict[str, Callable[[dict], Any]]:
    """What builds the parts under each key of a config."""
    builders = dict(
        model=MODELS.build,
        default_hooks=_build_hook,
        custom_hooks=_build_hook,
    )
    for phase in phases:
        loader = f'{phase}_dataloader'
        builders[f'{loader}.dataset'] = _build_unread
        builders[f'{loader}.sampler'] = _look_up(DATA_SAMPLERS)
        builders[f'{loader}.collate_fn'] = _look_up(FUNCTIONS)
        builders[f'{phase}_evaluator'] = METRICS.build
    if 'train' in phases:
        builders['optim_wrapper'] = partial(_build_optimizer, built)
        builders['param_scheduler'] = _build_scheduler
    return builders


def _typed(node: Any, key: str) -> Iterator[Tuple[str, dict]]:
    """Dicts with a type; of those that wrap others, what is inside."""
    if isinstance(node, (list, tuple)):
        for index, item in enumerate(node):
            yield from _typed(item, f'{key}[{index}]')
    elif isinstance(node, dict):
        inside = [k for k in node if 'type' not in node or k in WRAPPED]
        if 'type' in node and not inside:
            yield key, node
        for name in inside:
            yield from _typed(node[name], f'{key}.{name}')


def _look_up(registry: Registry) -> Callable[[dict], Any]:
    """Find a class; where there is none, raise as building it would."""
    return lambda node: class_of(node, registry) or registry.build(node)


def _build_hook(node: dict) -> Any:
    node.pop('priority', None)
    return HOOKS.build(node)


def _build_unread(node: dict) -> Any:
    kind = _look_up(DATASETS)(node)
    if inspect.isclass(kind) and issubclass(kind, BaseDataset):
        return DATASETS.build(dict(node, lazy_init=True))
    return None


def _build_optimizer(built: Dict[str, Any], node: dict) -> Any:
    optimizer = node.get('optimizer')
    # MMEngine says of an unknown one that None cannot be called.
    if isinstance(optimizer, dict) and 'type' in optimizer:
        _look_up(OPTIMIZERS)(optimizer)
    model = built.get('model') or nn.Linear(1, 1)
    return build_optim_wrapper(model, node)


def _build_scheduler(node: dict) -> Any:
    optimizer = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
    node.pop('convert_to_iter_based', None)
    node.setdefault('end', node.get('begin', 0) + 9)
    return PARAM_SCHEDULERS.build(
        node, default_args=dict(optimizer=optimizer, epoch_length=1)
    )


def _without_drloc(node: dict) -> Optional[nn.Module]:
    """The library's model: a fault of our head shall hide no other."""
    kind = class_of(node, MODELS)
    if not inspect.isclass(kind) or not issubclass(kind, DRLocHost):
        return None
    host = next(b for b in kind.__mro__ if not issubclass(b, DRLocHost))
    node = dict(copy.deepcopy(node), type=host)
    node.pop(kind.head_name, None)
    try:
        return MODELS.build(node)
    except Exception:  # it has said so already
        return None


def sentence(error: BaseException, key: str, node: Any) -> str:
    """Say why something cannot be built, with the config key.

    Args:
        error (Exception): What building it raised.
        key (str): Of the part that was built; empty for the whole config.
        node (Any): The part of the config.

    Returns:
        str: One sentence that begins with the innermost key.
    """
    place, settings, kind, registry = _innermost(error, key, node)
    name = getattr(kind, '__name__', settings.get('type'))
    text = cause(error)
    if isinstance(error, UsageError):
        text = str(error).rstrip('.')
        text += '' if text.endswith('?') else '.'
        return f'{place}: {text}' if place else text
    unknown = UNKNOWN.search(text)
    if unknown:
        word, where = unknown.groups()
        place += '.type' * (settings.get('type') == word)
        near = None if registry is None else _near_name(word, registry)
        remedy = 'correct the name, or import its module by `custom_imports`.'
        if near:
            remedy = f'did you mean {near!r}?'
        return f"{place}: '{word}' is not in the {where} registry: {remedy}"
    unexpected = UNEXPECTED.search(text)
    if unexpected:
        word = unexpected[1]
        if word not in settings:  # handed on by the one that was built
            for inside, inner in dicts_in(node, key):
                if word in inner and 'type' in inner:
                    place, settings = inside, inner
                    kind = class_of(inner, MODELS)
        if word in settings:
            taker = getattr(kind, '__name__', settings.get('type'))
            near = nearest(word, _parameters(kind))
            remedy = f'did you mean `{near}`?' if near else 'remove it.'
            return f'{place}.{word}: {taker} takes no `{word}`: {remedy}'
    missing = MISSING.search(text)
    if missing and name:
        return f'{place} ({name}) needs {missing[1]}: write it.'
    if 'at least one array' in text:  # MMEngine packs an empty list
        text = (
            'it holds no image after filtering: compare its paths and the '
            'class names in its metainfo with the annotations, and look at '
            'its `indices`'
        )
    elif settings.get('ann_file'):
        text += f': look at {settings["ann_file"]}'
    place += f' ({name})' if place and name else ''
    return f'{place}: {text}.' if place else f'{text}.'


def _innermost(
    error: BaseException, key: str, node: Any
) -> Tuple[str, dict, Any, Optional[Registry]]:
    """What a registry was building last: key, config, class, registry."""
    found = key, node if isinstance(node, dict) and key else {}, None, None
    for frame, _ in walk_tb(error.__traceback__):
        if frame.f_code.co_name != 'build_from_cfg':
            continue
        local = frame.f_locals
        for place, written in dicts_in(node, key):
            if _same(local.get('cfg'), written):
                kind, registry = local.get('obj_cls'), local.get('registry')
                found = place, written, kind, registry
                break
    return found


def _same(built: Any, written: dict) -> bool:
    """Whether a dict is what the config says; builders may change it."""
    return (
        isinstance(built, dict)
        and 'type' in written
        and built.get('type') == written['type']
        and all(
            isinstance(value, dict) or built.get(k, value) == value
            for k, value in written.items()
        )
    )


def _parameters(kind: Any) -> List[str]:
    """What a class and those that it inherits from take."""
    names: List[str] = []
    for base in getattr(kind, '__mro__', ()):
        try:
            names += inspect.signature(base.__init__).parameters
        except (AttributeError, TypeError, ValueError):
            continue
    return [n for n in names if n not in ('self', 'args', 'kwargs')]


def _near_name(word: str, registry: Registry) -> Optional[str]:
    """The name that was meant: of this registry, the root's or another's."""
    root = registry
    while root.parent is not None:
        root = root.parent
    scope, _, bare = word.rpartition('.')
    others = dict(root.children)
    if scope in others:
        others = {scope: others[scope]}
    names = {
        n: f'{name}.{n}' for name, o in others.items() for n in o.module_dict
    }
    if scope not in others:
        names.update({n: n for r in (root, registry) for n in r.module_dict})
    near = nearest(bare, names)
    return names[near] if near else None
