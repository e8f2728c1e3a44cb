"""Which entries of an ``init_cfg`` load a file."""

from inspect import isclass
from typing import Any, Iterator, Tuple

from mmengine.model import PretrainedInit

from mmdrloc.utils.config_walk import dicts_in


def is_pretrained(kind: Any) -> bool:
    """Whether a type of an ``init_cfg`` loads a file.

    Args:
        kind (Any): A name with or without scope, a full path, or the class.

    Returns:
        bool: True for MMEngine's ``PretrainedInit``.
    """
    if isclass(kind):
        return issubclass(kind, PretrainedInit)
    return str(kind).split('.')[-1] in ('Pretrained', 'PretrainedInit')


def pretrained_entries(init_cfg: Any) -> Iterator[dict]:
    """Those entries of an ``init_cfg`` that load a file.

    Args:
        init_cfg (Any): One entry, several or none.

    Yields:
        dict: An entry.
    """
    entries = init_cfg if isinstance(init_cfg, (list, tuple)) else [init_cfg]
    for entry in entries:
        if isinstance(entry, dict) and is_pretrained(entry.get('type')):
            yield entry


def open_entries(
    node: Any, place: str = 'model'
) -> Iterator[Tuple[str, dict]]:
    """Those entries of a model's config that name no file yet.

    Args:
        node (Any): The config of a model, or of a part.
        place (str): Where it is. Defaults to 'model'.

    Yields:
        tuple[str, dict]: The part that starts from a file, and the entry.
    """
    for where, part in dicts_in(node, place):
        for entry in pretrained_entries(part.get('init_cfg')):
            if not entry.get('checkpoint'):
                yield where, entry
