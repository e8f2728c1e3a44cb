"""Which entries of an ``init_cfg`` load a file."""

from inspect import isclass
from typing import Any, Iterator, Tuple

from mmengine.model import PretrainedInit

from mmdrloc.utils.config_walk import dicts_in


def is_pretrained(kind: Any) -> bool:
    """Whether a type of an ``init_cfg``, name or class, loads a file."""
    if isclass(kind):
        return issubclass(kind, PretrainedInit)
    return str(kind).split('.')[-1] in ('Pretrained', 'PretrainedInit')


def pretrained_entries(init_cfg: Any) -> Iterator[dict]:
    """Those entries of an ``init_cfg``, one or several, that load a file."""
    entries = init_cfg if isinstance(init_cfg, (list, tuple)) else [init_cfg]
    for entry in entries:
        if isinstance(entry, dict) and is_pretrained(entry.get('type')):
            yield entry


def open_entries(
    node: Any, place: str = 'model'
) -> Iterator[Tuple[str, dict]]:
    """Parts of a model's config that start from a file not named yet."""
    for where, part in dicts_in(node, place):
        for entry in pretrained_entries(part.get('init_cfg')):
            if not entry.get('checkpoint'):
                yield where, entry
