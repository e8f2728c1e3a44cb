"""Recognise the format of weights, also behind what wraps their names."""

from typing import Dict, Iterator, Mapping, Optional, Tuple

from torch import Tensor

from mmdrloc.utils.errors import UsageError
from .origins import Origin, detect_origin

Weights = Dict[str, Tensor]
# Of distributed wrappers, Lightning, torch.compile, and training with a
# teacher, the average of its student, which therefore comes first.
WRAPPERS = ('module', 'model', '_orig_mod', 'teacher', 'student')


def readings(weights: Mapping[str, Tensor]) -> Iterator[Weights]:
    """Give weights by their names, then without what wraps all of them."""
    yield dict(weights)
    inside: Dict[str, Weights] = {}
    for name, tensor in weights.items():
        wrapper, _, rest = name.partition('.')
        inside.setdefault(wrapper, {})[rest] = tensor
    if len(inside) == 1 or inside.keys() == {'teacher', 'student'}:
        for wrapper in WRAPPERS:
            if '' not in inside.get(wrapper, ['']):
                yield from readings(inside[wrapper])


def recognise(
    weights: Mapping[str, Tensor], source: object
) -> Tuple[Optional[Origin], Weights]:
    """Tell the format of weights; None if it is not known.

    Returns:
        tuple[Origin, dict[str, Tensor]]: The format, and the tensors by its
        names. Messages name the ``source``.

    Raises:
        UsageError: If teacher and student are two networks.
    """
    found = [
        (origin, reading)
        for reading in readings(weights)
        for origin in [detect_origin(reading)]
        if origin is not None
    ]
    kinds = [{n: t.shape for n, t in reading.items()} for _, reading in found]
    if any(kind != kinds[0] for kind in kinds):
        raise UsageError(
            f'{source} holds two networks, a teacher and a student of other '
            'tensors: save the one that you mean.'
        )
    return found[0] if found else (None, dict(weights))
