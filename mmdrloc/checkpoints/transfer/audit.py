"""What came out of a checkpoint, and what did not."""

from dataclasses import dataclass, field
from itertools import groupby
from typing import Dict, List, Mapping, Sequence, Tuple

from torch import Tensor

# Buffers that follow from the arguments of the networks.
COMPUTED = ('relative_position_index',)


@dataclass
class Audit:
    """Names of tensors, sorted by what became of them.

    Attributes:
        loaded (List[str]): Came, and are equal in both places.
        resized (List[str]): Came, interpolated to another size of the grid.
        dropped (List[str]): In the checkpoint, left behind on purpose.
        computed (List[str]): Not in the checkpoint, and not needed: the
            network computes them when it is built.
        expected_missing (List[str]): Not in the checkpoint, as announced.
        other_classes (List[str]): In both, for another number of classes:
            the last layers of heads, which stay as they are initialised.
        missing (List[str]): Should have come, not in the checkpoint.
        unexpected (List[str]): In the checkpoint, not in the model.
        mismatched (List[str]): In both, with another shape.
        different (List[str]): In both, with other values.
    """

    loaded: List[str] = field(default_factory=list)
    resized: List[str] = field(default_factory=list)
    dropped: List[str] = field(default_factory=list)
    computed: List[str] = field(default_factory=list)
    expected_missing: List[str] = field(default_factory=list)
    other_classes: List[str] = field(default_factory=list)
    missing: List[str] = field(default_factory=list)
    unexpected: List[str] = field(default_factory=list)
    mismatched: List[str] = field(default_factory=list)
    different: List[str] = field(default_factory=list)

    @property
    def faults(self) -> Dict[str, List[str]]:
        """Dict[str, List[str]]: The kinds that must be empty and are not."""
        kinds = {
            'missing in the checkpoint': self.missing,
            'unexpected in the checkpoint': self.unexpected,
            'of another shape': self.mismatched,
            'not loaded (other values)': self.different,
        }
        return {kind: names for kind, names in kinds.items() if names}

    def describe_faults(self) -> str:
        """Say what must be empty and is not: one clause a kind."""
        return '; '.join(counted(n, kind) for kind, n in self.faults.items())

    def table(self) -> str:
        """Draw the audit: one row for each kind and part of the model.

        Returns:
            str: A plain-text table, kinds without tensors left out.
        """
        rows = [('tensors', 'part', 'what became of them')]
        for kind, names in vars(self).items():
            for part, members in groupby(sorted(names), _part):
                count = len(list(members))
                rows.append((str(count), part, kind.replace('_', ' ')))
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        return '\n'.join(
            f'{count:>{widths[0]}}  {part:<{widths[1]}}  {kind}'
            for count, part, kind in rows
        )


def counted(names: Sequence[str], kind: str) -> str:
    """How many tensors are of a kind, and the first five of them."""
    more = ', ...' if len(names) > 5 else ''
    return f'{len(names)} {kind}: {", ".join(names[:5])}{more}'


def _part(name: str) -> str:
    return name.split('.')[0]


def audit_state_dict(
    model: Mapping[str, Tensor],
    checkpoint: Mapping[str, Tensor],
    expected_missing: Sequence[str] = (),
) -> Audit:
    """Compare a model's tensors with those that it should have loaded.

    Args:
        model (Mapping[str, Tensor]): State dict of the model.
        checkpoint (Mapping[str, Tensor]): Tensors under the same names.
        expected_missing (Sequence[str]): Beginnings of the names that the
            checkpoint cannot have. Defaults to ().

    Returns:
        Audit: Every name of either side under one kind.
    """
    audit = Audit(unexpected=[n for n in checkpoint if n not in model])
    announced = tuple(expected_missing)
    for name, tensor in model.items():
        _kind_of(audit, name, tensor, checkpoint, announced).append(name)
    return audit


def _kind_of(
    audit: Audit,
    name: str,
    tensor: Tensor,
    checkpoint: Mapping[str, Tensor],
    announced: Tuple[str, ...],
) -> List[str]:
    if name not in checkpoint:
        if name.endswith(COMPUTED):
            return audit.computed
        if name.startswith(announced):
            return audit.expected_missing
        return audit.missing
    source = checkpoint[name]
    if source.shape != tensor.shape:
        return audit.mismatched
    if not source.to(tensor).equal(tensor):
        return audit.different
    return audit.loaded
