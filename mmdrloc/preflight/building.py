"""Check a config; build its parts one by one; exceptions become sentences."""

import copy
import inspect
import re
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import Any, Callable, Dict, Iterator, List, Sequence

import mmengine.registry
from mmengine.config import Config
from mmengine.dataset import BaseDataset
from mmengine.optim import build_optim_wrapper
from mmengine.registry import DATASETS, METRICS, MODELS, OPTIMIZERS, Registry
from torch import nn

from mmdrloc.utils.config_walk import at, class_of, dicts_in, kind_of
from mmdrloc.utils.errors import CLOSED, UsageError, cause, nearest, refuse
from .data import bad_data, leaf_datasets
from .dry_run import PHASES
from .rules import broken_rules

ROOTS = [
    r for r in vars(mmengine.registry).values() if isinstance(r, Registry)
]
UNKNOWN = re.compile(r"^['\"]?([^'\" ]+) is not in the (.*?) registry")
UNEXPECTED = re.compile(r"unexpected keyword argument '(\w+)'")
# Keys of models with the loss, and the models that take them.
HEADS = {
    'auxiliary_head': "type='mmdrloc.DRLocClassifier'",
    'drloc_head': "a type with the loss, such as 'mmdrloc.DRLocMaskRCNN'",
}


def preflight(cfg: Config, phases: Sequence[str]) -> None:
    """Check settings and data files; if one is broken, all other parts too.

    The parts of a config without a problem here are built by its runner.

    Raises:
        UsageError: With one sentence for each problem.
    """
    problems = broken_rules(cfg, phases) + bad_data(cfg, phases)
    parts = broken_parts(cfg, phases) if problems else []
    refuse(problems + [p for p in parts if not _is_known(p, problems)])


@contextmanager
def building_explained(
    cfg: Config, is_over: Callable[[], bool] = lambda: False
) -> Iterator[None]:
    """Say all that cannot be built, where building fails.

    Errors are left alone once ``is_over`` returns True.

    Raises:
        UsageError: With one sentence for each part that is broken.
    """
    cfg = copy.deepcopy(cfg)
    try:
        yield
    except Exception as error:  # a class may be anyone's
        is_closed = isinstance(error, OSError) and error.errno in CLOSED
        if is_over() or is_closed:
            raise
        phases = [p for p in PHASES if cfg.get(f'{p}_cfg') is not None]
        problems = broken_parts(cfg, phases)
        said = sentence(error, '', dict(cfg)).rstrip('.')
        if not any(said in problem for problem in problems):
            place = _dataset_of(error, cfg, phases)
            problems.insert(0, sentence(error, place, at(dict(cfg), place)))
        is_plain = isinstance(error, UsageError) or UNKNOWN.search(str(error))
        refuse(problems, None if is_plain else error)


def _dataset_of(error: Exception, cfg: Config, phases: Sequence[str]) -> str:
    """Find the dataset that fails alike when it is read: its key, or ''."""
    for key in (f'{phase}_dataloader.dataset' for phase in phases):
        try:
            DATASETS.build(copy.deepcopy(at(cfg, key)))
        except Exception as other:  # a class may be anyone's
            if cause(other) == cause(error):
                return key
    return ''


def _is_known(problem: str, problems: Sequence[str]) -> bool:
    """Whether another problem begins with the same key."""
    key = problem.split(' ')[0].rstrip(':')
    return any(other.startswith(key) for other in problems)


def broken_parts(cfg: Config, phases: Sequence[str]) -> List[str]:
    """Build each part, datasets without their data; tell what fails."""
    cfg = copy.deepcopy(cfg)
    if isinstance(cfg.get('model'), dict) and cfg.get('data_preprocessor'):
        cfg.model.setdefault('data_preprocessor', cfg.data_preprocessor)
    built: Dict[str, Any] = {}
    builders: Dict[str, Callable] = {'model': MODELS.build}
    for phase in phases:
        builders[f'{phase}_dataloader.dataset'] = _build_unread
        builders[f'{phase}_evaluator'] = METRICS.build
    if at(cfg, 'optim_wrapper.optimizer') and 'train' in phases:
        cfg.optim_wrapper.setdefault('type', 'OptimWrapper')
        builders['optim_wrapper'] = partial(_build_optimizer, built)
    problems = []
    scope = cfg.get('default_scope')
    with mmengine.registry.DefaultScope.overwrite_default_scope(scope):
        for key, build in builders.items():
            whole = at(cfg, key)
            each = whole if isinstance(whole, list) else [whole]
            nodes = [node for node in each if isinstance(node, dict)]
            for node in chain(*map(leaf_datasets, nodes)):
                try:
                    built[key] = build(copy.deepcopy(node))
                except Exception as error:  # a class may be anyone's
                    problems.append(sentence(error, key, whole))
    return problems


def _build_unread(node: dict) -> Any:
    kind = class_of(node, DATASETS) or DATASETS.build(node)  # this raises
    if inspect.isclass(kind) and issubclass(kind, BaseDataset):
        return DATASETS.build(dict(node, lazy_init=True))
    return None


def _build_optimizer(built: Dict[str, Any], node: dict) -> Any:
    # MMEngine says of an unknown optimizer that None cannot be called.
    if not class_of(node['optimizer'], OPTIMIZERS):
        OPTIMIZERS.build(node['optimizer'])
    return build_optim_wrapper(built.get('model') or nn.Linear(1, 1), node)


def sentence(error: BaseException, key: str, node: Any) -> str:
    """Say why a part of a config cannot be built.

    ``key`` is the place of ``node`` in the config, '' for the whole. A name
    that nothing knows has its own place.
    """
    text = cause(error)
    parts = list(dicts_in(node, key))
    unknown = UNKNOWN.search(text)
    if unknown:
        word, where = unknown.groups()
        named = (p for p, part in parts if part.get('type') == word)
        place = next((f'{p}.type' for p in named), key)
        near = _near_name(word, where)
        remedy = 'correct it, or import its module by `custom_imports`.'
        if near:
            remedy = f'did you mean {near!r}?'
        text = f"'{word}' is not in the {where} registry: {remedy}"
        return f'{place}: {text}' if place else text
    if isinstance(error, UsageError):
        text = str(error) + '.' * (str(error)[-1:] not in '.?')
        return f'{key}: {text}' if key else text
    unexpected = UNEXPECTED.search(text)
    word = unexpected[1] if unexpected else ''
    for place, part in parts:
        kind = next(filter(None, (class_of(part, r) for r in ROOTS)), None)
        if word in part and kind and word not in _parameters(kind):
            near = nearest(word, _parameters(kind))
            remedy = 'remove it (`_delete_=True` drops what is inherited).'
            if word in HEADS:
                remedy = f'give the model {HEADS[word]}.'
            elif near:
                remedy = f'did you mean `{near}`?'
            name = kind_of(part)
            return f'{place}.{word}: {name} takes no `{word}`: {remedy}'
    whole = parts[0][1] if key and parts else {}
    if 'at least one array' in text:  # MMEngine packs an empty list
        text = (
            'it holds no image after filtering: compare its paths, classes '
            'and `indices` with the annotations'
        )
    elif whole.get('ann_file'):
        text += f': look at {whole["ann_file"]}'
    return f'{key} ({kind_of(whole)}): {text}.' if key else f'{text}.'


def _parameters(kind: Any) -> List[str]:
    """List the arguments of a class and of its base classes."""
    makers = [b for b in getattr(kind, '__mro__', ()) if '__init__' in vars(b)]
    return [n for base in makers for n in inspect.getfullargspec(base).args]


def _near_name(word: str, where: str) -> str:
    """Find a near name in a registry such as mmdet::model, or another's."""
    library, _, name = where.rpartition('::')
    root = next((root for root in ROOTS if root.name == name), None)
    if root is None:
        return ''
    scope, _, bare = word.rpartition('.')
    names = {
        known: f'{child}.{known}'
        for child, registry in root.children.items()
        if child == scope or scope not in root.children
        for known in registry.module_dict
    }
    if scope not in root.children:
        for registry in (root, root.children.get(library, root)):
            names.update(zip(registry.module_dict, registry.module_dict))
    near = nearest(bare, names)
    return names[near] if near else ''
