"""Audit of loaded weights: the status of every tensor."""

from dataclasses import dataclass, field
from itertools import groupby
from typing import Dict, List, Sequence

# Buffers that follow from the arguments of the networks.
COMPUTED = ('relative_position_index', 'num_batches_tracked')


@dataclass
class Audit:
    """Names of tensors, by status.

    Attributes:
        loaded (List[str]): Came, and are equal in both places.
        resized (List[str]): Came, interpolated to another size of the grid.
        dropped (List[str]): In the checkpoint, of a part that the model does
            not have.
        computed (List[str]): Not in the checkpoint, and not needed: the
            network computes them when it is built.
        expected_missing (List[str]): New in the model: no such checkpoint
            has them.
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
        return '; '.join(_counted(n, kind) for kind, n in self.faults.items())

    def summary(self) -> str:
        """All kinds in one line for a log."""
        kinds = {
            'resized': self.resized,
            'of other parts, left out': self.dropped,
            'expected to be missing': self.expected_missing,
            'for other classes, not loaded': self.other_classes,
            **self.faults,
        }
        clauses = [_counted(n, kind) for kind, n in kinds.items() if n]
        return '; '.join([f'{len(self.loaded)} tensors loaded', *clauses])

    def table(self) -> str:
        """All kinds as a text table, a row for each part of the model."""
        rows = [('tensors', 'part', 'status')]
        for kind, names in vars(self).items():
            for part, members in groupby(sorted(names), _part):
                count = len(list(members))
                rows.append((str(count), part, kind.replace('_', ' ')))
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        return '\n'.join(
            f'{count:>{widths[0]}}  {part:<{widths[1]}}  {kind}'
            for count, part, kind in rows
        )


def _counted(names: Sequence[str], kind: str) -> str:
    """How many tensors are of a kind, and the first five of them."""
    more = ', ...' if len(names) > 5 else ''
    return f'{len(names)} {kind}: {", ".join(names[:5])}{more}'


def _part(name: str) -> str:
    return name.split('.')[0]
