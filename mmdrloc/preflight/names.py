"""Names that no registry has."""

from dataclasses import replace
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Dict, Iterable, Iterator, List, Optional, Tuple

import mmengine.registry
from mmengine.registry import Registry

from mmdrloc.utils.errors import lacks_operators
from .places import Place

# Whose classes a config here may name.
LIBRARIES = ('mmpretrain', 'mmdet', 'mmseg', 'mmdrloc')

WORDS = dict(
    MODELS='models',
    DATASETS='data sets',
    TRANSFORMS='transforms',
    DATA_SAMPLERS='samplers',
    METRICS='metrics',
    HOOKS='hooks',
    OPTIMIZERS='optimizers',
    OPTIM_WRAPPERS='optimizer wrappers',
    OPTIM_WRAPPER_CONSTRUCTORS='constructors of optimizer wrappers',
    PARAM_SCHEDULERS='schedulers',
    LOOPS='loops',
    VISUALIZERS='visualizers',
    VISBACKENDS='backends of visualizers',
    WEIGHT_INITIALIZERS='initializers',
    FUNCTIONS='functions',
    EVALUATOR='evaluators',
    LOG_PROCESSORS='log processors',
    BATCH_AUGMENTS='batch augmentations',
)
PARTS = (
    'backbone',
    'neck',
    'head',
    'loss',
    'coder',
    'assigner',
    'generator',
    'norm_cfg',
    'act_cfg',
)
# Inside a hook or a metric, a `type` may mean anything.
UNCERTAIN = ('HOOKS', 'METRICS', 'VISUALIZERS')


def class_at(place: Place) -> Optional[Any]:
    """What the ``type`` of a place stands for; None if nothing is known."""
    kind = place.kind
    if callable(kind):
        return kind
    if not isinstance(kind, str):
        return None
    for registry in _registries(place):
        found = _found(registry, kind, place.scope)
        if found is not None:
            return found
    return None


def bad_scope(scope: Any) -> List[str]:
    """A default scope that no library has."""
    if scope is None or _is_scope(scope):
        return []
    near = nearest(str(scope), LIBRARIES)
    remedy = f"write default_scope='{near}'" if near else 'correct it'
    return [f'default_scope is {scope!r}, which no library has: {remedy}.']


def _is_scope(scope: Any) -> bool:
    try:
        import_module(f'{scope}.registry')
    except Exception:  # whatever an import meets
        return scope in mmengine.registry.MODELS.children
    return True


def bad_name(place: Place) -> List[str]:
    """A ``type`` that cannot be found."""
    constructor = place.node.get('constructor')
    if place.registry == 'OPTIM_WRAPPERS' and isinstance(constructor, str):
        node, registry = dict(type=constructor), 'OPTIM_WRAPPER_CONSTRUCTORS'
        named = replace(place, node=node, registry=registry)
        return _bad(place) + _bad(named, 'constructor')
    return _bad(place)


def _bad(place: Place, key: str = 'type') -> List[str]:
    kind = place.kind
    where = f'{place.name}.{key}'
    # The dict of all default hooks names no class.
    if place.registry in ('NONE', 'LOADER') or place.name == 'default_hooks':
        return []
    if kind is None:
        return _lacking(place)
    if callable(kind) or class_at(place) is not None:
        return []
    if place.around is not None and place.registry in UNCERTAIN:
        return []
    if not isinstance(kind, str):
        return [
            f'{where} is {kind!r}: it must be the name of a class, in quotes.'
        ]
    near = nearest(kind, known_names(place))
    if _may_be_anything(place) and (not near or kind[:1].islower()):
        return []
    remedy = (
        f"write {key}='{near}'"
        if near
        else 'correct it, or import the module that registers it with '
        '`custom_imports`'
    )
    kinds = WORDS.get(place.registry, 'classes')
    return [f"{where}: '{kind}' is none of the {kinds}: {remedy}."]


def _lacking(place: Place) -> List[str]:
    """A dict that names no class where one is needed."""
    last = place.name.rpartition('.')[2]
    needed = {
        'DATASETS': last == 'dataset' or last.startswith('datasets['),
        'DATA_SAMPLERS': True,
        'FUNCTIONS': True,
        'HOOKS': place.around is None,
        'METRICS': place.around is None and 'metrics' not in place.node,
        'MODELS': place.name in ('model', 'model.backbone'),
        'OPTIMIZERS': last == 'optimizer',
        'PARAM_SCHEDULERS': last.startswith('param_scheduler['),
        'TRANSFORMS': last.startswith('pipeline['),
    }
    if not needed.get(place.registry):
        return []
    return [f'{place.name} has no `type`: name the class to build.']


def _may_be_anything(place: Place) -> bool:
    """Whether a `type` inside a model may be a mode rather than a class."""
    key = place.name.rpartition('.')[2].partition('[')[0]
    part = key.startswith(PARTS) or key.endswith(PARTS)
    return place.registry == 'MODELS' and place.around is not None and not part


def nearest(
    word: str, known: Iterable[str], cutoff: float = 0.6
) -> Optional[str]:
    """The known word that is written most like this one.

    Args:
        word (str): What somebody wrote.
        known (Iterable[str]): What there is.
        cutoff (float): How alike, 0 to 1. Defaults to 0.6.

    Returns:
        str, optional: One of them, or None.
    """
    by_lower: Dict[str, str] = {}
    for name in known:
        by_lower.setdefault(name.lower(), name)
    found = get_close_matches(word.lower(), by_lower, 1, cutoff)
    return by_lower[found[0]] if found else None


def instead(near: Optional[str]) -> str:
    """What to do about a key that nobody reads, near a known one or not."""
    return f'write `{near}`' if near else 'remove it'


def known_names(place: Place) -> List[str]:
    """Every name that a place may have, written as it must be there."""
    plain: List[str] = []
    scoped: List[str] = []
    for root in _registries(place):
        for registry, scope in _tree(root):
            names = [
                *registry.module_dict,
                *getattr(registry, '_on_demand', ()),
            ]
            if scope in (None, 'mmengine', place.scope):
                plain += names
            scoped += [f'{scope}.{name}' for name in names if scope]
    return [*dict.fromkeys(plain), *dict.fromkeys(scoped)]


def _tree(root: Registry) -> Iterator[Tuple[Registry, Optional[str]]]:
    """A root registry and those of the libraries, all imported."""
    for library in LIBRARIES:
        try:
            import_module(f'{library}.registry')
        except Exception:  # a library may be absent, or broken
            continue
    yield root, root.scope
    for registry in root.children.values():
        try:
            registry.import_from_location()
        except Exception:  # the same
            continue
        yield registry, registry.scope


def _registries(place: Place) -> Iterator[Registry]:
    """The root registries where a place's ``type`` may be."""
    name = place.registry
    if name == 'METRICS' and 'metrics' in place.node:
        name = 'EVALUATOR'
    root = getattr(mmengine.registry, name, None)
    if root is not None:
        yield root
    if name == 'MODELS':
        yield mmengine.registry.TASK_UTILS
    augments = _batch_augments()
    if name in ('BATCH_AUGMENTS', 'MODELS') and augments is not None:
        yield augments


def _batch_augments() -> Optional[Registry]:
    try:
        return import_module('mmpretrain.registry').BATCH_AUGMENTS
    except Exception:  # a detection machine may lack mmpretrain
        return None


def _found(registry: Registry, name: str, scope: Optional[str]) -> Any:
    """Look a name up as building does."""
    try:
        if registry is mmengine.registry.FUNCTIONS:
            return registry.get(name)
        with registry.switch_scope_and_registry(scope) as scoped:
            return scoped.get(name)
    except Exception as error:  # RuntimeError, or whatever an import meets
        if lacks_operators(error):
            raise
        return None
