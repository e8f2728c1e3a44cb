"""Audit of loaded weights: the status of every tensor."""

from dataclasses import dataclass, field
from typing import Dict, List, Sequence

from mmdrloc.utils.errors import few

# Buffers that a network computes from its arguments.
COMPUTED = (
    'relative_position_index',
    'relative_coords_table',
    'rope.freqs_cos',
    'rope.freqs_sin',
    'attention_bias_idxs',
    'num_batches_tracked',
)


@dataclass
class Audit:
    """Names of tensors, by status."""

    #: Equal in the checkpoint and, after loading, in the model.
    loaded: List[str] = field(default_factory=list)
    #: Loaded after interpolation to another grid size.
    resized: List[str] = field(default_factory=list)
    #: In the checkpoint, for a part that the model does not have.
    dropped: List[str] = field(default_factory=list)
    #: Not in the checkpoint: the network computes them when it is built.
    computed: List[str] = field(default_factory=list)
    #: New in the model: no such checkpoint has them.
    expected_missing: List[str] = field(default_factory=list)
    #: Of last layers for other classes, which keep their initial values.
    other_classes: List[str] = field(default_factory=list)
    #: Needed by the model, not in the checkpoint.
    missing: List[str] = field(default_factory=list)
    #: In the checkpoint, not in the model.
    unexpected: List[str] = field(default_factory=list)
    #: In both, with another shape.
    mismatched: List[str] = field(default_factory=list)
    #: In both, with other values.
    different: List[str] = field(default_factory=list)

    @property
    def faults(self) -> str:
        """The kinds that make a load fail, a clause each."""
        return _clauses(
            {
                'missing in the checkpoint': self.missing,
                'unexpected in the checkpoint': self.unexpected,
                'of another shape': self.mismatched,
                'not loaded (other values)': self.different,
            }
        )

    def __str__(self) -> str:
        """Summarise all kinds in one line."""
        others = _clauses(
            {
                'resized': self.resized,
                'of other parts, left out': self.dropped,
                'expected to be missing': self.expected_missing,
                'for other classes, not loaded': self.other_classes,
            }
        )
        clauses = [f'{len(self.loaded)} tensors loaded', others, self.faults]
        return '; '.join(filter(None, clauses))

    def move(self, kind: str, other: str, starts: Sequence[str]) -> None:
        """Move names with one of these beginnings to another kind."""
        names: List[str] = getattr(self, kind)
        moved = [name for name in names if name.startswith(tuple(starts))]
        getattr(self, other).extend(moved)
        setattr(self, kind, [name for name in names if name not in moved])


def _clauses(kinds: Dict[str, List[str]]) -> str:
    """Count the tensors of each kind and name the first five."""
    return '; '.join(
        f'{len(names)} {kind}: {few(names)}'
        for kind, names in kinds.items()
        if names
    )
