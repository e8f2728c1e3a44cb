"""Load weights into a model or a part of it; every tensor is accounted for."""

from collections import OrderedDict
from math import isqrt
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Tuple,
)

from torch import Tensor, nn

from mmdrloc.utils.errors import UsageError
from .audit import COMPUTED, Audit
from .origins import ORIGINS, detect_origin

# Heads that training alone has a use for: DRLoc's, and mmseg's second one.
TRAINING_HEADS = ('auxiliary_head', 'drloc_head')
# What networks interpolate to another size of the grid when they load it.
RESIZABLE = (
    'pos_embed',
    'relative_position_bias_table',
    'rel_pos_h',
    'rel_pos_w',
)
# A parameter of the network that masked pre-training alone uses.
PRETRAINING = ('mask_token',)
PREFIX = 'backbone.'


def load_model(
    model: nn.Module,
    weights: Mapping[str, Tensor],
    source: object,
    is_training: bool = True,
    partial: bool = False,
    exact: bool = False,
) -> Audit:
    """Load a whole model.

    Heads that training alone needs may be absent from a model that has none,
    and from weights that are tested. In a training, the last layer of a head
    may be of another number of classes: it stays as it is initialised.

    Args:
        model (nn.Module): Changed in place.
        weights (Mapping[str, Tensor]): Of any known origin.
        source (object): Where they come from, for the message.
        is_training (bool): Whether the model is to be trained. Defaults to
            True.
        partial (bool): Whether a part is enough. Defaults to False.
        exact (bool): Whether names and shapes must be equal, as for a
            training that goes on. Defaults to False.

    Returns:
        Audit: What became of the tensors.

    Raises:
        UsageError: If the weights do not fit.
    """
    named = max((weights, _as_ours(weights)), key=_common_with(model))
    audit = _load(model, named)
    if not exact:
        absent = tuple(
            f'{head}.' for head in TRAINING_HEADS if not hasattr(model, head)
        )
        _move(audit, 'unexpected', 'dropped', absent)
        if is_training:
            layers = _layers_of_classes(model, named, audit.mismatched)
            _move(audit, 'mismatched', 'other_classes', tuple(layers))
        else:
            heads = tuple(f'{head}.' for head in TRAINING_HEADS)
            _move(audit, 'missing', 'expected_missing', heads)
    if exact and audit.faults:
        raise UsageError(
            f'{source} cannot be resumed: {audit.describe_faults()}. Give the '
            'config that it was trained with, or begin a new run in another '
            '--work-dir with --cfg-options load_from=PATH.'
        )
    if not audit.loaded:
        raise UsageError(
            f'{source} does not fit the model of the config: '
            f'{audit.describe_faults()}. Nothing in it fits: take the config '
            'that it was trained with.'
        )
    if audit.faults and not partial:
        raise UsageError(
            f'{source} does not fit the model of the config: '
            f'{audit.describe_faults()}. Take the config that it was trained '
            f'with; where only a part is wanted, --partial takes the '
            f'{len(audit.loaded)} tensors that fit.'
        )
    return audit


def load_part(
    module: nn.Module,
    weights: Mapping[str, Tensor],
    source: object,
    place: str = 'the backbone',
    prefix: Optional[str] = None,
    partial: bool = False,
) -> Audit:
    """Load a part of a model, such as the backbone of a detector.

    The weights may be of a whole classifier of any known origin, or have the
    names of the part. What they have of other parts is left out.

    Args:
        module (nn.Module): Changed in place.
        weights (Mapping[str, Tensor]): Of any known origin.
        source (object): Where they come from, for the message.
        place (str): What the part is called, for the message. Defaults to
            'the backbone'.
        prefix (str, optional): What the names of its tensors begin with.
            Defaults to None: nothing, or ``backbone.``.
        partial (bool): Whether what fits is enough. Defaults to False.

    Returns:
        Audit: By the names of the part; what was dropped by the names in the
        weights.

    Raises:
        UsageError: If the weights do not fit.
    """
    named, left = _named_for(module, weights, prefix)
    audit = _load(module, named)
    unknown = [n for n in audit.unexpected if not _belongs_to(module, n)]
    _move(audit, 'unexpected', 'dropped', tuple(unknown))
    audit.dropped += left
    _move(audit, 'missing', 'expected_missing', tuple(_new_names(module)))
    kind = type(module).__name__
    if not audit.loaded:
        raise UsageError(
            f'nothing of {source} fits {place} ({kind}), which starts from '
            f'it{f" with prefix={prefix!r}" if prefix else ""}: give the '
            f'weights of the same network. {_known_origins(weights)}'
        )
    if audit.faults and not partial:
        raise UsageError(
            f'{source} does not fit {place} ({kind}), which starts from it: '
            f'{audit.describe_faults()}. Give the weights of the same '
            'network; where only a part is wanted, --partial takes the '
            f'{len(audit.loaded)} tensors that fit.'
        )
    return audit


def _load(module: nn.Module, named: Mapping[str, Tensor]) -> Audit:
    """Load what fits, and sort all names."""
    own = module.state_dict()
    audit = Audit()
    state: Any = OrderedDict(named)
    # By it modules know of which version their weights are.
    state._metadata = getattr(named, '_metadata', OrderedDict())
    for name, tensor in named.items():
        if name not in own:
            continue
        if tensor.shape != own[name].shape:
            if not name.endswith(COMPUTED):
                resized = _resize(module, name, tensor)
                (audit.resized if resized else audit.mismatched).append(name)
            del state[name]
        elif tensor.is_floating_point() != own[name].is_floating_point():
            audit.mismatched.append(name)
            del state[name]
    outcome = module.load_state_dict(state, strict=False)
    audit.unexpected = list(outcome.unexpected_keys)
    known = {*audit.resized, *audit.mismatched}
    for name in outcome.missing_keys:
        if name not in known:
            is_computed = name.endswith(COMPUTED)
            (audit.computed if is_computed else audit.missing).append(name)
    own = module.state_dict()
    for name in state:
        if name in own and not state[name].to(own[name]).equal(own[name]):
            audit.different.append(name)
    others = {*audit.unexpected, *audit.different}
    audit.loaded = [name for name in state if name not in others]
    return audit


def _resize(module: nn.Module, name: str, tensor: Tensor) -> bool:
    """Let a network resize a tensor its own way, if it has one."""
    if not name.endswith(RESIZABLE):
        return False
    ways: List[Callable[[], Tensor]] = [lambda: tensor]  # in a hook of load
    # mmseg's networks do it in their `init_weights`.
    if hasattr(module, 'resize_rel_pos_embed'):
        part = dict(state_dict={name: tensor})
        ways.append(lambda: module.resize_rel_pos_embed(part)[name])
    elif type(module).__module__.startswith('mmseg.'):
        ways.append(lambda: _resize_positions(module, tensor))
    for way in ways:
        try:
            module.load_state_dict({name: way()}, strict=False)
            return True
        # Whatever they answer: no square grid, a function SciPy has removed.
        except Exception:
            continue
    return False


def _resize_positions(module: nn.Module, positions: Tensor) -> Tensor:
    """As mmseg's ViT does, from a square grid with a class token."""
    side = isqrt(positions.shape[1] - 1)
    grid = tuple(length // module.patch_size for length in module.img_size)
    return module.resize_pos_embed(
        positions, grid, (side, side), module.interpolate_mode
    )


def _named_for(
    module: nn.Module, weights: Mapping[str, Tensor], prefix: Optional[str]
) -> Tuple[Mapping[str, Tensor], List[str]]:
    """The tensors by the names of a part, and the names of the others."""
    ours = _as_ours(weights)
    origin = origin_of(f'{PREFIX}{name}' for name in module.state_dict())
    if ours and origin not in (None, 'openmmlab'):
        ours = ORIGINS[origin].to_theirs(dict(ours)).weights
    start = f'{prefix.rstrip(".")}.' if prefix else PREFIX
    choices = [(given, start) for given in (weights, ours)]
    if prefix is None:
        choices.append((weights, ''))
    found: List[Tuple[Mapping[str, Tensor], List[str]]] = [
        (
            {n[len(begin) :]: t for n, t in given.items() if _in(n, begin)},
            [name for name in given if not _in(name, begin)],
        )
        for given, begin in choices
    ]
    common = _common_with(module)
    return max(found, key=lambda choice: common(choice[0]))


def _in(name: str, prefix: str) -> bool:
    return name.startswith(prefix)


def _common_with(module: nn.Module) -> Any:
    own = module.state_dict()
    return lambda weights: sum(name in own for name in weights)


def _as_ours(weights: Mapping[str, Tensor]) -> Mapping[str, Tensor]:
    """By the names of our classifier; {} where the origin is not known."""
    origin = origin_of(weights)
    if origin is None:
        return {}
    converted = ORIGINS[origin].to_ours(dict(weights))
    unknown = {name: weights[name] for name in converted.unknown}
    return {**converted.weights, **unknown}


def origin_of(names: Iterable[str]) -> Optional[str]:
    """Name the format of weights; None where it is not known.

    Args:
        names (Iterable[str]): Of all tensors.
    """
    try:
        return detect_origin(names).name
    except UsageError:
        return None


def _known_origins(weights: Mapping[str, Tensor]) -> str:
    try:
        return f'Its format is {detect_origin(weights).name}.'
    except UsageError as error:
        text = str(error)
        return text[0].upper() + text[1:]


def _belongs_to(module: nn.Module, name: str) -> bool:
    """Whether a tensor that has no place would be of this very part.

    Then it is of a deeper or another network. Of a part that the module does
    not have at all, a head or the norm of another output, it is not.
    """
    first, dot, _ = name.partition('.')
    if not dot:
        return name not in PRETRAINING
    return first in dict(module.named_children())


def _new_names(module: nn.Module) -> Iterator[str]:
    """Beginnings of names that no classifier's weights can have.

    They are the norms that dense networks put on the outputs of the stages
    before the last, the offsets of deformable convolutions, and plugins.
    """
    outputs = getattr(module, 'out_indices', None) or ()
    last = len(getattr(module, 'stages', None) or outputs) - 1
    yield from (f'norm{index}.' for index in outputs if index != last)
    for name, part in module.named_modules():
        if name.endswith('.conv_offset'):
            yield f'{name}.'
        for number in (1, 2, 3):
            plugins = f'after_conv{number}_plugin_names'
            for plugin in getattr(part, plugins, None) or ():
                yield f'{name}.{plugin}.'


def _layers_of_classes(
    model: nn.Module, weights: Mapping[str, Tensor], mismatched: List[str]
) -> List[str]:
    """Tensors of the layers of heads that have another number of outputs.

    All tensors of such a layer differ, and in the number of outputs alone.
    """
    own = model.state_dict()
    layers: Dict[str, List[str]] = {}
    for name in own:
        layers.setdefault(name.rpartition('.')[0], []).append(name)
    return [
        name
        for name in mismatched
        if 'head' in name.rpartition('.')[0]
        and all(
            other in mismatched
            and own[other].shape[1:] == weights[other].shape[1:]
            for other in layers[name.rpartition('.')[0]]
        )
    ]


def _move(
    audit: Audit, kind: str, other: str, starts: Tuple[str, ...]
) -> None:
    """Move names that begin so from one kind of an audit to another."""
    names: List[str] = getattr(audit, kind)
    moved = [name for name in names if starts and name.startswith(starts)]
    getattr(audit, other).extend(moved)
    setattr(audit, kind, [name for name in names if name not in moved])
