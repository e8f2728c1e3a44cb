"""What a part of a model was given to start from, and whether it has it."""

from collections import OrderedDict
from typing import Any, Dict, Iterable, List, Mapping, Sequence

from torch import Tensor, nn

from mmdrloc.checkpoints.reading import refuse_bad_tensors
from mmdrloc.utils.errors import UsageError
from .additions import additions, layers_of_classes, repeated
from .arrival import audit_loading, expected_values
from .audit import COMPUTED, Audit


class Witness:
    """Note what a module is given while it is initialised from a file.

    The libraries rename, reorder and resize on the way: what counts is what
    reaches the module, after all that.

    Args:
        module (nn.Module): Before its initialisation.
        place (str): Where it is, like ``backbone``; '' for a whole model.
        entry (dict): Of its ``init_cfg``.
        partial (bool): Whether a part is enough. Defaults to False.
    """

    def __init__(
        self,
        module: nn.Module,
        place: str,
        entry: Dict[str, Any],
        partial: bool = False,
    ) -> None:
        self.module = module
        self.place = place
        self.source = entry['checkpoint']
        self.prefix = entry.get('prefix')
        self.partial = partial
        self.given: Any = OrderedDict()
        self._looks = False
        # torch has a public name for it since 2.5 only.
        self._handle = module._register_load_state_dict_pre_hook(self)
        self._initialise = module.init_weights
        module.init_weights = self._initialise_explained

    def __deepcopy__(self, memo: Dict[int, Any]) -> 'Witness':
        """One for all: a copy of the module has nothing else to tell."""
        return self

    def __call__(
        self, state_dict: Dict[str, Tensor], prefix: str, *others: Any
    ) -> None:
        """Note what is given; called by torch.

        Raises:
            UsageError: If values are none or shapes differ, which some
                libraries do not mind.
        """
        if prefix or self._looks or self._handle is None:
            return
        self.given.update(
            (name, value)
            for name, value in state_dict.items()
            if isinstance(value, Tensor)
        )
        self.given._metadata = getattr(state_dict, '_metadata', OrderedDict())
        refuse_bad_tensors(self.given, self.source)
        audit = self._audit()
        if audit.mismatched and audit.loaded and not self.partial:
            raise UsageError(self.misfit(audit))

    @property
    def name(self) -> str:
        """str: The place as a user finds it in the config."""
        return f'model.{self.place}'.rstrip('.')

    def dismiss(self) -> None:
        """Take no more notes."""
        if self._handle is not None:
            self._handle.remove()
            self._handle = None
            del self.module.init_weights

    def testify(self, replaced: Sequence[str] = ()) -> Audit:
        """Compare the module with what it was given.

        Args:
            replaced (Sequence[str]): Names that were loaded anew later.

        Returns:
            Audit: With the faults, if any.
        """
        self.dismiss()
        audit = self._audit()
        compared = {
            name: tensor
            for name, tensor in self.given.items()
            if name in audit.loaded and name not in replaced
        }
        audit.different = not_arrived(self.module, compared)
        audit.loaded = [
            name for name in audit.loaded if name not in audit.different
        ]
        return audit

    def misfit(self, audit: Audit) -> str:
        """Say what is wrong.

        Args:
            audit (Audit): With faults, or with nothing loaded.

        Returns:
            str: A sentence.
        """
        if audit.loaded:
            return (
                f'{self.source} does not fit {self.name}, which starts from '
                f'it: {audit.describe_faults()}. Give the weights of the '
                'same network, with --weights if another program wrote them; '
                'where only a part is wanted, --partial takes the '
                f'{len(audit.loaded)} tensors that fit.'
            )
        return (
            f'nothing of {self.source} fits {self.name}, which starts from '
            f'it with prefix={self.prefix!r}: correct the prefix, or give '
            f'the file with --weights {self.source}, which knows the formats '
            'of checkpoints.'
        )

    def _initialise_explained(self) -> None:
        """Networks with readers of their own stop where names are foreign."""
        try:
            self._initialise()
        except (AssertionError, IndexError, KeyError) as error:
            raise UsageError(
                f'{self.source} does not fit {self.name}, which starts from '
                f'it and cannot read it ({type(error).__name__}: {error}): '
                f'give it with --weights {self.source}, which knows the '
                'formats of checkpoints.'
            ) from error

    def _audit(self) -> Audit:
        self._looks = True
        try:
            audit = audit_loading(self.module, self.given)
        finally:
            self._looks = False
        audit.mismatched = [
            name for name in audit.mismatched if not name.endswith(COMPUTED)
        ]
        # What else the file has belongs to other parts of a model.
        more = repeated(self.module, self.given, audit.unexpected)
        audit.dropped += [n for n in audit.unexpected if n not in more]
        audit.unexpected = more
        return without_additions(self.module, self.given, audit)


def without_additions(
    module: nn.Module, weights: Dict[str, Tensor], audit: Audit
) -> Audit:
    """Call expected what the file cannot have, see :mod:`.additions`.

    Args:
        module (nn.Module): What starts from the weights.
        weights (Dict[str, Tensor]): By the names of the module.
        audit (Audit): Changed in place.

    Returns:
        Audit: The same.
    """
    added = additions(module, weights, audit.missing)
    audit.expected_missing += added
    audit.missing = [n for n in audit.missing if n not in added]
    layers = layers_of_classes(module, weights, audit.mismatched)
    audit.other_classes += layers
    audit.mismatched = [n for n in audit.mismatched if n not in layers]
    return audit


def not_arrived(module: nn.Module, weights: Mapping[str, Tensor]) -> List[str]:
    """Which tensors have other values than they were given.

    Args:
        module (nn.Module): Loaded.
        weights (Mapping[str, Tensor]): By its names, with others.

    Returns:
        list[str]: Names; not of those that are right because the module's
        own way of loading changes values.
    """
    own = module.state_dict()

    def differ(
        values: Mapping[str, Tensor], names: Iterable[str]
    ) -> List[str]:
        return [
            name
            for name in names
            if own[name].shape != values[name].shape
            or not values[name].to(own[name]).equal(own[name])
        ]

    names = differ(weights, [name for name in weights if name in own])
    return differ(expected_values(module, weights), names) if names else []


def replaced_later(witness: Witness, others: List[Witness]) -> List[str]:
    """What a model around a part was given after the part.

    Args:
        witness (Witness): Of the part.
        others (list[Witness]): Of all, the outer ones first.

    Returns:
        list[str]: Names in the part.
    """
    names = []
    for outer in others:
        start = f'{outer.place}.' if outer.place else ''
        inside = f'{witness.place}.'
        if outer is not witness and inside.startswith(start):
            inside = inside[len(start) :]
            names += [
                name[len(inside) :]
                for name in outer.given
                if name.startswith(inside)
            ]
    return names
