"""Find the entries of an ``init_cfg`` that load a file."""

from typing import Any, Iterator, Tuple

from mmdrloc.utils.config_walk import dicts_in, kind_of


def pretrained_entries(init_cfg: Any) -> Iterator[dict]:
    """Those entries of an ``init_cfg``, one or several, that load a file."""
    entries = init_cfg if isinstance(init_cfg, (list, tuple)) else [init_cfg]
    for entry in entries:
        is_dict = isinstance(entry, dict)
        if is_dict and kind_of(entry) in ('Pretrained', 'PretrainedInit'):
            yield entry


def open_entries(model: Any) -> Iterator[Tuple[str, dict]]:
    """Parts of a model's config that start from a file not named yet."""
    for where, part in dicts_in(model, 'model'):
        for entry in pretrained_entries(part.get('init_cfg')):
            if not entry.get('checkpoint'):
                yield where, entry
