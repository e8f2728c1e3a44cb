"""Where in a config which registry is asked."""

from dataclasses import dataclass, replace
from typing import Any, Dict, Iterator, Optional, Sequence

from mmengine.config import Config

# Top-level keys; those of loaders, evaluators and loops follow the phase.
TOP = dict(
    model='MODELS',
    data_preprocessor='MODELS',
    visualizer='VISUALIZERS',
    log_processor='LOG_PROCESSORS',
    default_hooks='HOOKS',
    custom_hooks='HOOKS',
)
TRAINING = dict(
    optim_wrapper='OPTIM_WRAPPERS', param_scheduler='PARAM_SCHEDULERS'
)
PARTS = dict(dataloader='LOADER', cfg='LOOPS', evaluator='METRICS')

# What a key inside leads to, whatever it is inside of.
INSIDE = dict(
    init_cfg='WEIGHT_INITIALIZERS',
    optimizer='OPTIMIZERS',
    vis_backends='VISBACKENDS',
    augments='BATCH_AUGMENTS',
)
INSIDE_A_LOADER = dict(
    dataset='DATASETS',
    sampler='DATA_SAMPLERS',
    batch_sampler='DATA_SAMPLERS',
    collate_fn='FUNCTIONS',
    worker_init_fn='FUNCTIONS',
)
# Whose `type` is read by other means than a registry: an operator of mmcv's,
# the mode of a layer.
FOREIGN = ('nms', 'nms_cfg', 'roi_layer', 'adapt_cfg', 'targets')


@dataclass(frozen=True)
class Place:
    """A dict of the config.

    Args:
        name (str): How a user finds it: ``model.backbone``.
        node (dict): What is there.
        registry (str): The one that its ``type`` is looked up in.
        scope (str, optional): Whose registries come first.
        around (Place, optional): The nearest dict with a ``type`` that it is
            in.
    """

    name: str
    node: Dict[str, Any]
    registry: str
    scope: Optional[str]
    around: Optional['Place'] = None

    @property
    def kind(self) -> Any:
        """The ``type``: a name, a class, or None."""
        return self.node.get('type')

    @property
    def label(self) -> str:
        """The ``type`` as a word."""
        return getattr(self.kind, '__name__', str(self.kind))


def places(cfg: Config, phases: Sequence[str]) -> Iterator[Place]:
    """All dicts that something is made of, outer ones before those inside."""
    tops = dict(TOP)
    for phase in phases:
        tops.update({f'{phase}_{part}': PARTS[part] for part in PARTS})
    if 'train' in phases:
        tops.update(TRAINING)
    for key, registry in tops.items():
        if cfg.get(key) is not None:
            start = Place(key, {}, registry, cfg.get('default_scope'))
            yield from _inside(cfg[key], start)


def _inside(node: Any, at: Place) -> Iterator[Place]:
    if isinstance(node, (list, tuple)):
        for index, item in enumerate(node):
            yield from _inside(item, replace(at, name=f'{at.name}[{index}]'))
    if not isinstance(node, dict):
        return
    scope = node.get('_scope_') or at.scope
    here = replace(at, node=node, scope=scope)
    yield here
    for key, value in node.items():
        if _is_foreign(here, key):
            continue
        yield from _inside(
            value,
            replace(
                here,
                name=f'{at.name}.{key}',
                registry=_registry_of(key, here),
                around=here if 'type' in node else at.around,
            ),
        )


def _registry_of(key: str, around: Place) -> str:
    if around.registry == 'LOADER':
        return INSIDE_A_LOADER.get(key, 'NONE')
    if key.endswith('pipeline'):
        return 'TRANSFORMS'
    return INSIDE.get(key, around.registry)


def _is_foreign(place: Place, key: str) -> bool:
    """Types that other libraries read: Albumentations, nms of mmcv."""
    return place.label.endswith('Albu') or key in FOREIGN
