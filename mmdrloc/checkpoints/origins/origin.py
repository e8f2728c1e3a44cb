"""What a checkpoint format is: templates of names, there and here.

A template is a name with letters in braces, ``'layers.{s}.norm.{t}'``; each
stands for one component of the name, or a part of one, without dots, and
``{rest}`` for anything. One table of rules serves both directions, so that a
conversion and its inverse cannot drift apart.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import (
    Callable,
    Dict,
    Iterable,
    List,
    Match,
    Optional,
    Pattern,
    Tuple,
)

from torch import Tensor

from mmdrloc.utils.errors import UsageError


def same(tensor: Tensor) -> Tensor:
    """The tensor as it is."""
    return tensor


@dataclass(frozen=True)
class Rule:
    """One template of names there and here, with the same letters.

    ``to_ours`` is a bijection on tensors, ``to_theirs`` its inverse.
    """

    theirs: str
    ours: str
    to_ours: Callable[[Tensor], Tensor] = same
    to_theirs: Callable[[Tensor], Tensor] = same

    def changed(
        self, tensor: Tensor, source: str, target: str
    ) -> Optional[Tensor]:
        """The tensor on the other side; None if its shape cannot be."""
        try:
            changed = getattr(self, f'to_{target}')(tensor)
            back = getattr(self, f'to_{source}')(changed)
        # What tensors answer that have not the axes, or not the lengths.
        except (IndexError, RuntimeError, ValueError):
            return None
        return changed if back.shape == tensor.shape else None


@dataclass
class Converted:
    """What became of the tensors of a checkpoint."""

    weights: Dict[str, Tensor]  # by the names of the other side
    derived: List[str]  # left behind: the network computes them itself
    unknown: List[str]  # no rule knows them


@dataclass(frozen=True)
class Origin:
    """A format in which checkpoints of a network are published.

    "Ours" is the full classifier: ``backbone.*``, ``head.*`` and, with
    DRLoc, ``auxiliary_head.*``.
    """

    name: str  # as on the command line, 'swin-microsoft'
    title: str  # in words
    network: str  # the type of our backbone for it
    #: The first that matches a name counts.
    rules: Tuple[Rule, ...]
    #: Templates; each of them matches a name of such a checkpoint,
    marks: Tuple[str, ...]
    #: and none of these does.
    absent: Tuple[str, ...] = ()
    #: Templates of buffers that our network computes by itself.
    derived: Tuple[str, ...] = ()

    def recognises(self, names: Iterable[str]) -> bool:
        """Whether all marks are there and nothing that should be absent."""
        names = list(names)

        def is_there(template: str) -> bool:
            return any(_fits(template, name) for name in names)

        return all(map(is_there, self.marks)) and not any(
            map(is_there, self.absent)
        )

    def to_ours(self, weights: Dict[str, Tensor]) -> Converted:
        """Convert tensors by their names to ours.

        Raises:
            UsageError: If a shape cannot be, or two would have one name.
        """
        return self._convert(weights, 'theirs', 'ours')

    def to_theirs(self, weights: Dict[str, Tensor]) -> Converted:
        """Convert tensors by our names to theirs; the inverse.

        What their networks compute by themselves is not among them.

        Raises:
            UsageError: As of :meth:`to_ours`.
        """
        return self._convert(weights, 'ours', 'theirs')

    def _convert(
        self, weights: Dict[str, Tensor], source: str, target: str
    ) -> Converted:
        converted = Converted({}, [], [])
        for name, tensor in weights.items():
            matches = (
                (rule, _fits(getattr(rule, source), name))
                for rule in self.rules
            )
            rule, match = next((m for m in matches if m[1]), (None, None))
            if rule and match:
                new_name = getattr(rule, target).format(**match.groupdict())
                if new_name in converted.weights:
                    raise UsageError(
                        f'two tensors would become {new_name}, {name} is one '
                        f'of them: remove what is not of {self.title}.'
                    )
                changed = rule.changed(tensor, source, target)
                if changed is None:
                    raise UsageError(
                        f'{name} is of shape {tuple(tensor.shape)}, which no '
                        f'tensor of that name is in {self.title}.'
                    )
                converted.weights[new_name] = changed
            elif any(_fits(template, name) for template in self.derived):
                converted.derived.append(name)
            else:
                converted.unknown.append(name)
        return converted


def _fits(template: str, name: str) -> Optional[Match[str]]:
    return _pattern(template).fullmatch(name)


@cache
def _pattern(template: str) -> Pattern[str]:
    escaped = re.escape(template).replace(r'\{rest\}', '(?P<rest>.+)')
    return re.compile(re.sub(r'\\{(\w+)\\}', r'(?P<\1>[^.]+)', escaped))
