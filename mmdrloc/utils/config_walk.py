"""The dicts that a config is made of."""

from typing import Any, Iterator, Tuple


def dicts_in(node: Any, place: str = '') -> Iterator[Tuple[str, dict]]:
    """Go through a config, or a part of it.

    Args:
        node (Any): Dicts and lists, one in the other.
        place (str): Where it is. Defaults to '', the top.

    Yields:
        tuple[str, dict]: Where a dict is, such as 'model.head[0].loss', and
        the dict; the outer ones before those inside.
    """
    if isinstance(node, dict):
        yield place, node
        for key, value in node.items():
            yield from dicts_in(value, f'{place}.{key}'.lstrip('.'))
    elif isinstance(node, (list, tuple)):
        for index, value in enumerate(node):
            yield from dicts_in(value, f'{place}[{index}]')
