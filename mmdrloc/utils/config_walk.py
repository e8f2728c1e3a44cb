"""The dicts that a config is made of."""

from typing import Any, Iterator, List, Tuple

from mmengine.registry import Registry


def dicts_in(node: Any, place: str = '') -> Iterator[Tuple[str, dict]]:
    """Go through dicts and lists, one in the other; the outer ones first.

    Yields:
        tuple[str, dict]: Where a dict is, such as 'model.head[0].loss', and
        the dict.
    """
    if isinstance(node, dict):
        yield place, node
        for key, value in node.items():
            yield from dicts_in(value, f'{place}.{key}'.lstrip('.'))
    elif isinstance(node, (list, tuple)):
        for index, value in enumerate(node):
            yield from dicts_in(value, f'{place}[{index}]')


def at(config: Any, key: str) -> Any:
    """What a config has under a key such as 'train_cfg.max_iters', or None."""
    for part in key.split('.') if key else ():
        config = config.get(part) if hasattr(config, 'get') else None
    return config


def imported_by(config: Any) -> List[str]:
    """The modules in ``custom_imports`` of a config."""
    names = at(config, 'custom_imports.imports') or []
    return [names] if isinstance(names, str) else [*names]


def kind_of(node: dict) -> str:
    """The name of the class that a dict is of, without its scope."""
    kind = node.get('type')
    return str(getattr(kind, '__name__', kind)).rpartition('.')[2]


def class_of(config: dict, registry: Registry, scope: Any = None) -> Any:
    """The class that a config names."""
    kind = config.get('type')
    if isinstance(kind, str):
        scope = config.get('_scope_', scope)
        with registry.switch_scope_and_registry(scope) as scoped:
            kind = scoped.get(kind)
    return kind
