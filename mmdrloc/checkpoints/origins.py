"""The formats of published checkpoints, as ``origins.yml`` has them.

One table of rules serves both directions, so that a conversion and its
inverse cannot drift apart.
"""

import re
from dataclasses import dataclass
from functools import cache
from math import isqrt
from pathlib import Path
from typing import (
    Dict,
    Iterator,
    List,
    Mapping,
    Match,
    Optional,
    Pattern,
    Tuple,
)

import yaml
from torch import Tensor

from mmdrloc.utils.errors import UsageError
from .tensor_layouts import CHANGES

Weights = Dict[str, Tensor]
# Of distributed wrappers, Lightning, torch.compile, and training with a
# teacher, the average of its student, which therefore comes first.
WRAPPERS = ('module', 'model', '_orig_mod', 'teacher', 'student')
COUNTERS = ('n_averaged', 'steps')


@dataclass(frozen=True)
class Rule:
    """One template of names there and here, with the same letters."""

    theirs: str
    ours: str
    #: What becomes of the tensor, a key of :data:`CHANGES`.
    change: str = ''

    def changed(self, tensor: Tensor, to_ours: bool) -> Optional[Tensor]:
        """The tensor on the other side; None if its shape cannot be."""
        there, back = CHANGES[self.change][:: 1 if to_ours else -1]
        try:
            changed = there(tensor)
            fits = back(changed).shape == tensor.shape
        # What tensors answer that have not the axes, or not the lengths.
        except (IndexError, RuntimeError, ValueError):
            return None
        return changed if fits else None


@dataclass
class Converted:
    """What became of the tensors of a checkpoint."""

    weights: Weights  # by the names of the other side
    derived: List[str]  # left behind: the network computes them itself
    unknown: List[str]  # no rule knows them


@dataclass(frozen=True)
class Origin:
    """A format in which checkpoints of a network are published.

    What the fields mean is said in ``origins.yml``.
    """

    name: str  # as on the command line, 'swin-microsoft'
    title: str
    network: str
    rules: Tuple[Rule, ...]
    marks: Tuple[str, ...]
    absent: Tuple[str, ...] = ()
    derived: Tuple[str, ...] = ()

    def recognises(self, weights: Weights) -> bool:
        """Whether all marks are there and nothing that should be absent."""
        names = [*weights]
        if _counts_patches_alone(weights):
            names.append('pos_embed of patches')

        def is_there(template: str) -> bool:
            return any(_fits(template, name) for name in names)

        return all(map(is_there, self.marks)) and not any(
            map(is_there, self.absent)
        )

    def to_ours(self, weights: Weights) -> Converted:
        """Convert tensors by their names to ours.

        Raises:
            UsageError: If a shape cannot be, or two would have one name.
        """
        return self._convert(weights, 'theirs', 'ours')

    def to_theirs(self, weights: Weights) -> Converted:
        """Convert tensors by our names to theirs; the inverse.

        What their networks compute by themselves is not among them.

        Raises:
            UsageError: As of :meth:`to_ours`.
        """
        return self._convert(weights, 'ours', 'theirs')

    def _convert(
        self, weights: Weights, source: str, target: str
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
                changed = rule.changed(tensor, target == 'ours')
                if changed is None:
                    raise UsageError(
                        f'{name} of shape {tuple(tensor.shape)} cannot be '
                        f'converted: no such tensor is in {self.title}.'
                    )
                converted.weights[new_name] = changed
            elif any(_fits(template, name) for template in self.derived):
                converted.derived.append(name)
            else:
                converted.unknown.append(name)
        return converted


def _counts_patches_alone(weights: Weights) -> bool:
    positions = weights.get('pos_embed')
    # A class token and h x (h + 2) patches are a square number too; only
    # networks with LayerScale, such as DeiT III, leave the token out. DINOv2,
    # with cells of 14 px, has both.
    scales = {'blocks.0.ls1.gamma', 'blocks.0.gamma_1'} & weights.keys()
    if positions is None or positions.ndim != 3 or not scales:
        return False
    _, count, channels = positions.shape
    kernel = weights.get('patch_embed.proj.weight')
    is_dinov2 = kernel is not None and kernel.shape[-1] == 14
    is_huge = channels == 1280  # DeiT III's, with cells of 14 px as well
    return isqrt(count) ** 2 == count and (is_huge or not is_dinov2)


def _fits(template: str, name: str) -> Optional[Match[str]]:
    return _pattern(template).fullmatch(name)


@cache
def _pattern(template: str) -> Pattern[str]:
    escaped = re.escape(template).replace(r'\{rest\}', '(?P<rest>.+)')
    return re.compile(re.sub(r'\\{(\w+)\\}', r'(?P<\1>[^.]+)', escaped))


def _read(file: Path) -> Iterator[Origin]:
    for name, said in yaml.safe_load(file.read_text()).items():
        if not name.startswith('_'):
            rules = said.pop('rules').items()
            yield Origin(
                name=name,
                title=said.pop('title'),
                network=said.pop('network'),
                rules=tuple(Rule(k, *ours.split()) for k, ours in rules),
                **{kind: tuple(names) for kind, names in said.items()},
            )


ORIGINS = {o.name: o for o in _read(Path(__file__).with_suffix('.yml'))}


def detect_origin(weights: Weights) -> Optional[Origin]:
    """Tell the format of a checkpoint by all its tensors.

    Returns:
        Origin, optional: None where it is not known, or not for sure.
    """
    known = ORIGINS.values()
    found = [origin for origin in known if origin.recognises(weights)]
    return found[0] if len(found) == 1 else None


def readings(weights: Mapping[str, Tensor]) -> Iterator[Weights]:
    """Give weights by their names, then without what wraps all of them."""
    yield dict(weights)
    # Of averaged models: how many steps they have seen.
    weights = {n: t for n, t in weights.items() if n not in COUNTERS}
    inside: Dict[str, Weights] = {}
    for name, tensor in weights.items():
        wrapper, _, rest = name.partition('.')
        inside.setdefault(wrapper, {})[rest] = tensor
    if len(inside) == 1 or inside.keys() == {'teacher', 'student'}:
        for wrapper in WRAPPERS:
            if wrapper in inside:
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
        if (origin := detect_origin(reading))
    ]
    kinds = [
        {name: tensor.shape for name, tensor in reading.items()}
        for _, reading in found
    ]
    if any(kind != kinds[0] for kind in kinds):
        raise UsageError(
            f'{source} holds two networks, a teacher and a student of other '
            'tensors: save the one that you mean.'
        )
    return found[0] if found else (None, dict(weights))
