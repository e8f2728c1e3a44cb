"""Load weights into a model or a part of it; every tensor is accounted for."""

import sys
from math import isqrt
from typing import Dict, Iterator, List, Mapping, Optional, Tuple

from torch import Tensor, nn

from mmdrloc.utils.errors import UsageError
from .audit import COMPUTED, Audit
from .origins import ORIGINS, detect_origin

# Heads that only training uses: DRLoc's, and mmseg's second one.
TRAINING_HEADS = ('auxiliary_head', 'drloc_head')
# Tensors that networks interpolate to another grid size when they load them.
RESIZABLE = (
    'pos_embed',
    'relative_position_bias_table',
    'rel_pos_h',
    'rel_pos_w',
)
# A parameter of the backbone that only masked pre-training uses.
PRETRAINING = 'mask_token'
PREFIX = 'backbone.'
Weights = Mapping[str, Tensor]


def load_model(
    model: nn.Module,
    weights: Weights,
    source: object,
    is_training: bool = True,
    partial: bool = False,
    exact: bool = False,
) -> Audit:
    """Load a whole model, from weights of any known origin.

    The model may lack the heads that only training uses, and so may weights
    that are tested. In a training, the last layer of a head may have another
    number of classes: it keeps its initial values. ``partial`` loads what
    fits; ``exact`` asks for equal names and shapes, as a resumed training
    does. Messages name the ``source``.

    Raises:
        UsageError: If the weights do not fit.
    """
    own = model.state_dict()
    choices = weights, _as_ours(weights)
    named = max(choices, key=lambda choice: len(own.keys() & choice))
    audit = _load(model, named)
    if exact:
        if audit.faults:
            raise UsageError(
                f'{source} cannot be resumed: {audit.faults}. Give '
                'the config that it was trained with, or begin a new run in '
                'another --work-dir with --cfg-options load_from=PATH.'
            )
        return audit
    absent = [head for head in TRAINING_HEADS if not hasattr(model, head)]
    audit.move('unexpected', 'dropped', [f'{head}.' for head in absent])
    if is_training:
        last_layers = [
            name
            for name in audit.mismatched
            if 'head' in name.rpartition('.')[0]
            and own[name].shape[1:] == named[name].shape[1:]
        ]
        audit.move('mismatched', 'other_classes', last_layers)
    else:
        heads = [f'{head}.' for head in TRAINING_HEADS]
        audit.move('missing', 'expected_missing', heads)
    return _accepted(
        audit,
        partial,
        f'{source} does not fit the model of the config',
        'Take the config that it was trained with',
    )


def load_part(
    module: nn.Module,
    weights: Weights,
    source: object,
    place: str = 'the backbone',
    prefix: Optional[str] = None,
    partial: bool = False,
) -> Audit:
    """Load a part of a model, such as the backbone of a detector.

    The weights are those of a whole classifier of any known origin, or have
    the part's own names. The audit has the part's names; tensors of other
    parts are dropped and keep theirs.

    Args:
        module (nn.Module): Changed in place.
        weights (Mapping[str, Tensor]): By any names.
        source (object): Where they come from, for the message.
        place (str): What the part is called, for the message.
        prefix (str, optional): What the names of its tensors begin with.
            Defaults to None: nothing, or ``backbone.``.
        partial (bool): Whether to load what fits and leave out the rest.

    Raises:
        UsageError: If the weights do not fit.
    """
    named, left = _named_for(module, weights, prefix)
    audit = _load(module, named)
    # An unexpected tensor of a part that the module has is of a deeper or
    # another network. Any other may be a head, or the norm of an output.
    parts = dict(module.named_children())
    others = [
        name
        for name in audit.unexpected
        if name == PRETRAINING
        or ('.' in name and name.split('.')[0] not in parts)
    ]
    audit.move('unexpected', 'dropped', others)
    audit.dropped += left
    audit.move('missing', 'expected_missing', list(_new_names(module)))
    start = f' with prefix={prefix!r}' if prefix else ''
    origin = detect_origin(weights)
    format_ = origin.title if origin else 'a format that is not known'
    return _accepted(
        audit,
        partial,
        f'{source} does not fit {place} ({type(module).__name__}), which '
        f'starts from it{start}',
        f'Give the weights of the same network (this file is of {format_})',
    )


def _accepted(audit: Audit, partial: bool, what: str, remedy: str) -> Audit:
    """Give the audit back, or raise if it has faults."""
    if audit.loaded and (partial or not audit.faults):
        return audit
    fits = 'nothing in it fits'
    if audit.loaded:
        fits = (
            'where only a part is wanted, --partial takes the '
            f'{len(audit.loaded)} tensors that fit'
        )
    raise UsageError(f'{what}: {audit.faults}. {remedy}; {fits}.')


def _load(module: nn.Module, named: Weights) -> Audit:
    """Load the tensors that fit, and sort all names into an audit."""
    own = module.state_dict()
    audit, state = Audit(), dict(named)
    for name in [name for name in named if name in own]:
        given, wanted = named[name], own[name]
        if given.shape == wanted.shape:
            fits = given.is_floating_point() == wanted.is_floating_point()
            kind = None if fits else audit.mismatched
        elif name.endswith(COMPUTED):
            kind = audit.computed
        else:
            resized = _resize(module, name, given)
            kind = audit.resized if resized else audit.mismatched
        if kind is not None:
            kind.append(name)
            del state[name]
    outcome = module.load_state_dict(state, strict=False)
    audit.unexpected = list(outcome.unexpected_keys)
    for name in outcome.missing_keys:
        if name not in named:
            is_computed = name.endswith(COMPUTED)
            (audit.computed if is_computed else audit.missing).append(name)
    own = module.state_dict()
    for name, tensor in state.items():
        if name in own:
            arrived = tensor.to(own[name]).equal(own[name])
            (audit.loaded if arrived else audit.different).append(name)
    return audit


def _resize(module: nn.Module, name: str, tensor: Tensor) -> bool:
    """Load a tensor of another grid size, if the network resizes it."""
    if not name.endswith(RESIZABLE):
        return False
    try:
        # mmseg's networks do it in their `init_weights`, by this method.
        if type(module).__module__.startswith('mmseg.'):
            side = isqrt(tensor.shape[1] - 1)
            grid = tuple(n // module.patch_size for n in module.img_size)
            tensor = module.resize_pos_embed(
                tensor, grid, (side, side), module.interpolate_mode
            )
        module.load_state_dict({name: tensor}, strict=False)
    except Exception:  # networks raise many types, as for a grid not square
        return False
    return True


def _named_for(
    module: nn.Module, weights: Weights, prefix: Optional[str]
) -> Tuple[Weights, List[str]]:
    """Name tensors as a part does; list the names that are left."""
    own, ours = module.state_dict(), _as_ours(weights)
    origin = detect_origin(f'{PREFIX}{name}' for name in own)
    others: List[str] = []  # what that format has no place for
    if ours and origin and origin is not ORIGINS['openmmlab']:
        converted = origin.to_theirs(ours)
        ours, others = converted.weights, converted.unknown
    starts = [f'{prefix.rstrip(".")}.'] if prefix else [PREFIX, '']
    choices = [
        (
            {n[len(s) :]: t for n, t in given.items() if n.startswith(s)},
            [name for name in given if not name.startswith(s)] + left,
        )
        for given, left in ((weights, []), (ours, others))
        for s in starts
    ]
    # mmdet reads the files of PVT's authors, whom no classifier here follows.
    library = sys.modules[type(module).__module__]
    if hasattr(library, 'pvt_convert') and 'patch_embed1.proj.bias' in weights:
        left = [n for n in weights if n.startswith(('head', 'norm.', 'cls_'))]
        choices.append((library.pvt_convert(weights), left))
    return max(choices, key=lambda choice: len(own.keys() & choice[0]))


def _as_ours(weights: Weights) -> Dict[str, Tensor]:
    """Name tensors as our classifier does; {} for an unknown origin."""
    origin = detect_origin(weights)
    if origin is None:
        return {}
    converted = origin.to_ours(dict(weights))
    unknown = {name: weights[name] for name in converted.unknown}
    return {**converted.weights, **unknown}


def _new_names(module: nn.Module) -> Iterator[str]:
    """Beginnings of names that no classifier's weights can have."""
    # The norms of dense networks on the outputs of stages before the last.
    outputs = getattr(module, 'out_indices', None) or ()
    last = len(getattr(module, 'stages', None) or outputs) - 1
    yield from (f'norm{index}.' for index in outputs if index != last)
    if hasattr(module, 'range_sub_modules'):  # SSD's layers behind a VGG
        end = module.range_sub_modules[-1][1]
        yield from (f'features.{n}.' for n in range(end, len(module.features)))
    for name, _ in module.named_modules():
        if name.endswith('.conv_offset'):  # of deformable convolutions
            yield f'{name}.'
