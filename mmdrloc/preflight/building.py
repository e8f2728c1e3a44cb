"""Each part of a config, built by itself: one fault does not hide another."""

import copy
from contextlib import contextmanager
from functools import partial
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
from mmengine.optim import build_optim_wrapper
from mmengine.registry import (
    DATA_SAMPLERS,
    DATASETS,
    EVALUATOR,
    HOOKS,
    LOG_PROCESSORS,
    METRICS,
    MODELS,
    PARAM_SCHEDULERS,
    TRANSFORMS,
    VISUALIZERS,
    DefaultScope,
    Registry,
)
from torch import nn

from mmdrloc.utils.errors import UsageError
from .faults import building_fault
from .findings import listed
from .names import class_at
from .places import Place, places
from .signatures import parameters_of

PHASES = ('train', 'val', 'test')
Part = Tuple[str, Callable[[], Any]]


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
    except Exception as error:
        if is_over():
            raise
        loops = [p for p in PHASES if cfg.get(f'{p}_cfg') is not None]
        findings = broken_parts(cfg, loops)
        if not findings:
            raise
        raise UsageError(listed(findings)) from error


def broken_parts(
    cfg: Config, phases: Sequence[str], known: Sequence[str] = ()
) -> List[str]:
    """Build model, data, metrics, optimizer, schedulers and hooks.

    This is for when something is broken already: a config that can be built
    is built once, by its runner.

    Args:
        cfg (Config): The whole config.
        phases (Sequence[str]): Which loops will run: 'train', 'val', 'test'.
        known (Sequence[str]): Findings: what they are about is left out.
            Defaults to ().
    """
    cfg = copy.deepcopy(cfg)
    nodes = [p for p in places(cfg, phases) if p.registry != 'NONE']
    findings = []
    built: Dict[str, Any] = {}
    with DefaultScope.overwrite_default_scope(
        cfg.get('default_scope') or 'mmengine'
    ):
        for name, build in _parts(cfg, phases, nodes, built):
            if any(_is_about(finding, name) for finding in known):
                continue
            try:
                with torch.random.fork_rng(devices=[]):
                    built[name] = build()
            except UsageError as error:
                findings.append(f'{name}: {str(error).rstrip(".")}.')
            except Exception as error:  # a class may be anyone's
                inside = [n for n in nodes if _is_in(n.name, name)]
                findings.append(building_fault(error, name, inside))
    return list(dict.fromkeys(findings))


def _is_in(name: str, part: str) -> bool:
    return name == part or name.startswith((f'{part}.', f'{part}['))


def _is_about(finding: str, part: str) -> bool:
    if part == 'model' and finding.startswith('data_preprocessor'):
        return True
    return _is_in(finding.split(' ')[0].rstrip(':'), part)


def _parts(
    cfg: Config,
    phases: Sequence[str],
    nodes: List[Place],
    built: Dict[str, Any],
) -> Iterator[Part]:
    """The name of each part, and what builds it."""
    yield 'visualizer', lambda: _visualizer(cfg)
    if cfg.get('model') is not None:
        yield 'model', lambda: _model(cfg)
    for place in nodes:
        if place.around is not None:
            continue
        if place.registry == 'HOOKS' and place.name != 'default_hooks':
            yield place.name, partial(_hook, place)
        elif place.registry == 'METRICS':
            registry = EVALUATOR if 'metrics' in place.node else METRICS
            yield place.name, partial(_as_it_is, place, registry)
    for place in nodes:
        if place.registry == 'TRANSFORMS' and place.name.endswith(']'):
            outer = place.around
            if outer is None or outer.registry == 'DATASETS':
                yield place.name, partial(_as_it_is, place, TRANSFORMS)
        elif place.registry == 'DATASETS':
            yield place.name, partial(_data_set, place)
        elif place.registry == 'DATA_SAMPLERS':
            yield place.name, partial(_sampler, place)
    if 'type' in (cfg.get('log_processor') or ()):
        build = LOG_PROCESSORS.build
        yield 'log_processor', lambda: build(dict(cfg.log_processor))
    if 'train' in phases and cfg.get('optim_wrapper') is not None:
        yield 'optim_wrapper', lambda: _optimizer(cfg, built.get('model'))
        for place in nodes:
            if place.registry == 'PARAM_SCHEDULERS' and place.kind:
                yield place.name, partial(_scheduler, place)


def _model(cfg: Config) -> nn.Module:
    model = copy.deepcopy(cfg.model)
    if cfg.get('data_preprocessor') is not None:
        model.setdefault('data_preprocessor', dict(cfg.data_preprocessor))
    return MODELS.build(model)


def _as_it_is(place: Place, registry: Registry) -> Any:
    return registry.build(copy.deepcopy(place.node))


def _hook(place: Place) -> Any:
    options = copy.deepcopy(place.node)
    options.pop('priority', None)
    return HOOKS.build(options)


def _data_set(place: Place) -> Any:
    """Without reading its data, where it can be built so."""
    kind = class_at(place)
    if kind is None or 'lazy_init' not in parameters_of(kind)[0]:
        return None
    options = copy.deepcopy(place.node)
    options.update(lazy_init=True, pipeline=[])
    return DATASETS.build(options)


def _sampler(place: Place) -> Any:
    """Over stand-ins for images; those that need more are left out."""
    kind = class_at(place)
    if kind is None or not _is_in('sampler', place.name.split('.')[-1]):
        return None
    options = dict(dataset=list(range(8)), seed=0)
    return DATA_SAMPLERS.build(copy.deepcopy(place.node), default_args=options)


def _visualizer(cfg: Config) -> Any:
    """Before the hooks, of which some ask for the last one built."""
    options = copy.deepcopy(cfg.get('visualizer')) or dict(type='Visualizer')
    options.update(name='built for a look', vis_backends=None, save_dir=None)
    return VISUALIZERS.build(options)


def _optimizer(cfg: Config, model: Optional[nn.Module]) -> Any:
    options = copy.deepcopy(cfg.optim_wrapper)
    if model is None:
        # Which parameters get which rate depends on the model.
        options.pop('constructor', None)
        options.pop('paramwise_cfg', None)
        model = nn.Linear(1, 1)
    return build_optim_wrapper(model, options)


def _scheduler(place: Place) -> Any:
    optimizer = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.1)
    return PARAM_SCHEDULERS.build(
        copy.deepcopy(place.node),
        default_args=dict(optimizer=optimizer, epoch_length=1),
    )
