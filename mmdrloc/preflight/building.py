"""Turn exceptions of building into sentences with the config key."""

import copy
import inspect
import re
from contextlib import contextmanager
from functools import partial
from traceback import walk_tb
from typing import Any, Callable, Iterator, List, Optional, Sequence, Tuple

import torch
from mmengine.config import Config
from mmengine.dataset import BaseDataset
from mmengine.optim import build_optim_wrapper
from mmengine.registry import (
    DATA_SAMPLERS,
    DATASETS,
    EVALUATOR,
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

from mmdrloc.utils.config_walk import class_of, dicts_in
from mmdrloc.utils.errors import UsageError, cause, few, nearest, refuse

PHASES = ('train', 'val', 'test')
UNKNOWN = re.compile(r"^['\"]?([^'\" ]+) is not in the (.*?) registry")
UNEXPECTED = re.compile(r"unexpected keyword argument '(\w+)'")
MISSING = re.compile(r'missing \d+ required .*arguments?: (.*)$')
# What says all by itself.
PLAIN = (UNKNOWN, UNEXPECTED, MISSING)


@contextmanager
def building_explained(
    cfg: Config, is_over: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """Say what cannot be built, all of it, where building raises.

    Args:
        cfg (Config): The whole config.
        is_over (Callable[[], bool]): Whether all is built, and errors are
            left as they are. Defaults to never.

    Raises:
        UsageError: With one sentence for each part that is broken.
    """
    cfg = copy.deepcopy(cfg)
    try:
        yield
    except Exception as error:  # a class may be anyone's
        if is_over():
            raise
        phases = [p for p in PHASES if cfg.get(f'{p}_cfg') is not None]
        problems = broken_parts(cfg, phases)
        said = problem_of(error, '', dict(cfg.items()))
        place = said.split(' ')[0].rstrip(':')
        is_named = isinstance(error, UsageError) or said != f'{cause(error)}.'
        if is_named and not any(p.startswith(place) for p in problems):
            problems.insert(0, said)
        if not problems:
            raise
        is_plain = isinstance(error, UsageError) or any(
            pattern.search(cause(error)) for pattern in PLAIN
        )
        refuse(problems, None if is_plain else error)


def broken_parts(cfg: Config, phases: Sequence[str]) -> List[str]:
    """Build each part of a config by itself, to find all that is broken.

    Data sets are built without reading their data.

    Args:
        cfg (Config): The whole config.
        phases (Sequence[str]): Which loops will run: 'train', 'val', 'test'.

    Returns:
        list[str]: The first problem of each part, which begins with its key.
    """
    problems = []
    scope = cfg.get('default_scope') or 'mmengine'
    with DefaultScope.overwrite_default_scope(scope):
        for key, node, build in _parts(copy.deepcopy(cfg), phases):
            try:
                with torch.random.fork_rng(devices=[]):
                    build(copy.deepcopy(node))
            except Exception as error:  # a class may be anyone's
                problems.append(problem_of(error, key, node))
    return problems


def _parts(
    cfg: Config, phases: Sequence[str]
) -> Iterator[Tuple[str, Any, Callable[[Any], Any]]]:
    """The key of each part, its config, and what builds it."""
    model: List[nn.Module] = []
    if isinstance(cfg.get('model'), dict):
        node = cfg.model
        if cfg.get('data_preprocessor') is not None:
            node.setdefault('data_preprocessor', cfg.data_preprocessor)
        yield 'model', node, lambda node: model.append(MODELS.build(node))
    # Some hooks ask for the visualizer that was built last.
    VISUALIZERS.build(dict(type='Visualizer', name='preflight'))
    hooks = [
        (f'default_hooks.{key}', hook)
        for key, hook in (cfg.get('default_hooks') or {}).items()
    ]
    hooks += _items('custom_hooks', cfg.get('custom_hooks'))
    for key, hook in hooks:
        if isinstance(hook, dict):
            hook.pop('priority', None)
            yield key, hook, HOOKS.build
    for phase in phases:
        loader = cfg.get(f'{phase}_dataloader')
        for key, build in (
            ('dataset', _build_unread),
            ('sampler', _build_sampler),
            ('collate_fn', _find_function),
        ):
            node = loader.get(key) if isinstance(loader, dict) else None
            if isinstance(node, dict):
                yield f'{phase}_dataloader.{key}', node, build
        key = f'{phase}_evaluator'
        for place, node in _items(key, cfg.get(key)):
            if isinstance(node, dict):
                registry = EVALUATOR if 'metrics' in node else METRICS
                yield place, node, registry.build
    if 'train' not in phases:
        return
    wrapper = cfg.get('optim_wrapper')
    if isinstance(wrapper, dict):
        optimizer = wrapper.get('optimizer')
        if isinstance(optimizer, dict) and 'type' in optimizer:
            yield 'optim_wrapper.optimizer', optimizer, _find_optimizer
        build = partial(_build_optimizer, model)
        yield 'optim_wrapper', cfg.optim_wrapper, build
    key = 'param_scheduler'
    for place, node in _items(key, cfg.get(key)):
        if isinstance(node, dict) and 'type' in node:
            longest = (
                'max_epochs' if node.get('by_epoch', True) else 'max_iters'
            )
            length = (cfg.get('train_cfg') or {}).get(longest)
            if length is not None:
                node.setdefault('end', length)
            yield place, node, _build_scheduler


def _items(key: str, node: Any) -> List[Tuple[str, Any]]:
    """One item under its key, or each of several."""
    if isinstance(node, (list, tuple)):
        return [(f'{key}[{at}]', item) for at, item in enumerate(node)]
    return [] if node is None else [(key, node)]


def _build_unread(node: Any) -> Any:
    kind = class_of(node, DATASETS)
    if inspect.isclass(kind) and issubclass(kind, BaseDataset):
        node['lazy_init'] = True
        return DATASETS.build(node)
    if kind is None:
        return DATASETS.build(node)
    return None  # a wrapper, which reads at once


def _build_sampler(node: Any) -> Any:
    """Over stand-ins for images: only what is wrong for sure is said."""
    options = dict(dataset=list(range(8)), seed=0)
    try:
        return DATA_SAMPLERS.build(node, default_args=options)
    except Exception as error:  # a class may be anyone's
        if UNKNOWN.search(str(error)) or UNEXPECTED.search(str(error)):
            raise
        return None


def _find_function(node: Any) -> Any:
    kind = node.get('type')
    if isinstance(kind, str) and FUNCTIONS.get(kind) is None:
        raise KeyError(f'{kind} is not in the mmengine::function registry')
    return None


def _find_optimizer(node: Any) -> Any:
    """MMEngine says of an unknown one that None cannot be called."""
    if class_of(node, OPTIMIZERS) is None:
        OPTIMIZERS.build(node)


def _build_optimizer(model: List[nn.Module], node: Any) -> Any:
    if not model:
        # Which parameters get which rate depends on the model.
        node.pop('constructor', None)
        node.pop('paramwise_cfg', None)
        model = [nn.Linear(1, 1)]
    return build_optim_wrapper(model[0], node)


def _build_scheduler(node: Any) -> Any:
    optimizer = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
    options = dict(optimizer=optimizer, epoch_length=1)
    return PARAM_SCHEDULERS.build(node, default_args=options)


def problem_of(error: BaseException, key: str, node: Any) -> str:
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
        return f'{place}: {text}.' if place else f'{text}.'
    unknown = UNKNOWN.search(text)
    if unknown:
        word, where = unknown.groups()
        ours = settings.get('type') == word
        return (
            f"{place}{'.type' * ours}: '{word}' is not in the {where} "
            f'registry{_meant(word, registry, where)}'
        )
    unexpected = UNEXPECTED.search(text)
    if unexpected:
        word = unexpected.group(1)
        if word in settings and name:
            near = nearest(word, _parameters(kind))
            remedy = f'did you mean `{near}`?' if near else 'remove it.'
            return f'{place}.{word}: {name} takes no `{word}`: {remedy}'
        holders = [h for h in dicts_in(node, key) if word in h[1]]
        if len(holders) == 1:
            ((holder, inner),) = holders
            taker = text.removeprefix('TypeError: ').partition('.')[0]
            kind = class_of(inner, MODELS)
            near = nearest(word, _parameters(kind)) if kind else None
            remedy = f'did you mean `{near}`?' if near else 'remove it.'
            key = f'{holder}.{word}'.lstrip('.')
            return f'{key}: {taker} takes no `{word}`: {remedy}'
    if isinstance(error, KeyError) and not place and error.args:
        # A word that is none of those that may be said somewhere.
        holders = [
            f'{where}.{name}'.lstrip('.')
            for where, inner in dicts_in(node)
            for name, value in inner.items()
            if isinstance(value, str) and value == error.args[0]
        ]
        if len(holders) == 1:
            return f'{holders[0]}: it cannot be {error.args[0]!r}.'
    missing = MISSING.search(text)
    if missing and name:
        return f'{place} ({name}) needs {missing.group(1)}: write it.'
    if 'at least one array' in text:  # MMEngine packs an empty list
        text = (
            'it holds no image after filtering: compare its paths and the '
            'class names in its metainfo with the annotations, and look at '
            'its `indices`'
        )
    elif place.endswith('dataset') and settings.get('ann_file'):
        text += f': look at {settings["ann_file"]}'
    label = f' ({name})' if name else ''
    return f'{place}{label}: {text}.' if place else f'{text}.'


def _innermost(
    error: BaseException, key: str, node: Any
) -> Tuple[str, dict, Any, Optional[Registry]]:
    """What a registry was building last, as the config has it.

    Returns:
        tuple: Its key, its config, its class and the registry.
    """
    settings = node if isinstance(node, dict) and key else {}
    found = key, settings, None, None
    for frame, _ in walk_tb(error.__traceback__):
        if frame.f_code.co_name != 'build_from_cfg':
            continue
        built = frame.f_locals.get('cfg')
        for place, written in dicts_in(node, key):
            if isinstance(built, dict) and _same(built, written):
                kind = frame.f_locals.get('obj_cls')
                registry = frame.f_locals.get('registry')
                found = place, written, kind, registry
                break
    return found


def _same(built: Any, written: Any) -> bool:
    """Whether a dict is what the config says; builders may add keys."""
    own = {k: v for k, v in written.items() if k in built}
    return (
        'type' in own
        and built['type'] == written['type']
        and all(
            built[key] is value
            or isinstance(value, dict)
            or built[key] == value
            for key, value in own.items()
        )
    )


def _parameters(kind: Any) -> List[str]:
    """What a class and those that it inherits from take."""
    names: List[str] = []
    for base in getattr(kind, '__mro__', (kind,)):
        try:
            names += inspect.signature(base.__init__).parameters
        except (AttributeError, TypeError, ValueError):
            continue
    return [n for n in names if n not in ('self', 'args', 'kwargs')]


def _meant(word: str, registry: Optional[Registry], where: str) -> str:
    """The name that was meant: the same one elsewhere, or a near one here."""
    if where.endswith('::function'):
        registry = FUNCTIONS
    other = (
        ': correct the name, or import the module that registers it with '
        '`custom_imports`.'
    )
    if registry is None:
        return other
    root = registry
    while root.parent is not None:
        root = root.parent
    scopes = {root.scope: root, **root.children}
    scope, _, bare = word.rpartition('.')
    same = [
        f'{name}.{bare}'
        for name, place in scopes.items()
        if bare in place.module_dict
    ]
    if same:
        return f': write {few([repr(name) for name in same])}.'
    if scope in scopes:
        near = nearest(bare, scopes[scope].module_dict)
        near = near and f'{scope}.{near}'
    else:
        names = {**root.module_dict, **registry.module_dict}
        near = None if scope else nearest(bare, names)
    return f": did you mean '{near}'?" if near else other
