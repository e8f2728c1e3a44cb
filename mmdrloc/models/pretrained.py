"""Which entries of an ``init_cfg`` load a file."""

from inspect import isclass
from typing import Any, Iterator

from mmengine.model import PretrainedInit


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
    entries = [init_cfg] if isinstance(init_cfg, dict) else init_cfg or []
    for entry in entries:
        if is_pretrained(entry.get('type')):
            yield entry
