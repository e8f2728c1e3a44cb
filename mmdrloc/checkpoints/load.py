"""The one door for weights: read, recognise, convert, load and audit.

Every command takes it, for whole models and for parts: every tensor is
accounted for, or nothing is used.
"""

import re
import sys
from contextlib import suppress
from math import isqrt
from pathlib import Path
from typing import (
    Any,
    Dict,
    Iterator,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
)

from mmengine.config import Config
from mmengine.model import BaseTTAModel, is_model_wrapper
from timm.layers import resize_rel_pos_bias_table_simple
from torch import Tensor, nn

from mmdrloc.models.backbones.timm_backbone import timm_network
from mmdrloc.models.building import build_model
from mmdrloc.utils.errors import UsageError
from mmdrloc.utils.paths import Place
from .audit import COMPUTED, Audit
from .origins import ORIGINS, Weights, detect_origin, readings, recognise
from .reading import load_checkpoint, weights_of
from .sources import find_checkpoint

# Heads that only training uses: DRLoc's, and mmseg's second one.
TRAINING_HEADS = ('auxiliary_head.', 'drloc_head.')
# Tensors that networks interpolate to another grid size when they load them.
RESIZABLE = (
    'pos_embed',
    'relative_position_bias_table',
    'rel_pos_h',
    'rel_pos_w',
)
# A parameter of the backbone that only masked pre-training uses.
PRETRAINING = 'mask_token'
# Layers of timm's CaiT, XCiT and VOLO, in which a class token asks the others.
CLASS_ATTENTION = ('blocks_token_only', 'cls_attn_blocks', 'post_network')
# A norm that changes what the layers get.
BEFORE = 'pre_norm.'
PREFIX = 'backbone.'
RESUMED_BY = (
    'Give the config that it was trained with, or begin a new run in another '
    '--work-dir with --cfg-options load_from=PATH'
)


def load(
    module: nn.Module,
    source: Place,
    use: str,
    *,
    place: Optional[str] = None,
    prefix: Optional[str] = None,
    partial: Optional[bool] = None,
    checkpoint: Optional[Dict[str, Any]] = None,
) -> Audit:
    """Load weights of any known origin into a model, or a part of one.

    Of a whole model, the heads that only training uses may be absent in a
    test, and in a training the last layer of a head may have another number
    of classes: it keeps its initial values. Of a part, tensors of other parts
    are left out. Anything else that does not fit is refused.

    Args:
        module (nn.Module): Changed in place; wrappers are seen through.
        source (str | Path): What :func:`find_checkpoint` takes.
        use (str): 'train', 'test', or 'resume', for which names and shapes
            must be equal.
        place (str, optional): What the part is called, such as
            'model.backbone'. Defaults to None: a whole model.
        prefix (str, optional): What the names of the part's tensors begin
            with. Defaults to None: nothing, or ``backbone.``.
        partial (bool, optional): Whether to load what fits and leave out the
            rest. Defaults to None: it is not offered either.
        checkpoint (dict, optional): The content of the source, if it was
            read before.

    Returns:
        Audit: The status of every tensor, by the names of the module.

    Raises:
        UsageError: If the file cannot be read, or the weights do not fit.
    """
    while is_model_wrapper(module) or isinstance(module, BaseTTAModel):
        module = module.module
    if checkpoint is None:
        checkpoint = load_checkpoint(find_checkpoint(source))
    weights = weights_of(checkpoint, source)
    starts = [f'{prefix.rstrip(".")}.'] if prefix else [PREFIX, '']
    named, left, changed = _named_for(
        module, weights, starts if place else ['']
    )
    audit = _load(module, named)
    audit.move('loaded', 'resized', changed)
    # Some compute with their weights what they keep in evaluation mode.
    if not module.training:
        module.eval()
    if use == 'resume':
        what, remedy = f'{source} cannot be resumed', RESUMED_BY
    elif place is None:
        _allow_for_model(audit, module, named, use)
        audit.unexpected += left
        what = f'{source} does not fit the model of the config'
        remedy = 'Take the config that it was trained with'
    else:
        _allow_for_part(audit, module)
        audit.dropped += left
        origin, _ = recognise(weights, source)
        start = f' with prefix={prefix!r}' if prefix else ''
        what = f'{source}{start} does not fit {place}, which starts from it'
        remedy = (
            'Give the weights of the same network (this file is of '
            f'{origin.title if origin else "a format that is not known"})'
        )
    _refuse_faults(audit, what, remedy, partial)
    return audit


class Trained(NamedTuple):
    """A trained model in evaluation mode, on the CPU, and its checkpoint."""

    model: nn.Module
    meta: Dict[str, Any]
    path: Path


def load_trained(
    cfg: Config, checkpoint: Place, plain: bool = False
) -> Trained:
    """Build the model of a config and load it to be looked at.

    Args:
        cfg (Config): Only the checkpoint gives weights.
        checkpoint (str | Path): What :func:`find_checkpoint` takes.
        plain (bool): Whether to leave the DRLoc head out. Defaults to False.

    Raises:
        UsageError: If it cannot be built, or the checkpoint cannot be read
            or is another model's.
    """
    path = find_checkpoint(checkpoint)
    content = load_checkpoint(path)
    model = build_model(cfg, plain).eval()
    load(model, path, 'test', checkpoint=content)
    return Trained(model, content.get('meta') or {}, path)


def _allow_for_model(
    audit: Audit, model: nn.Module, named: Weights, use: str
) -> None:
    """Sort out what a whole model may have otherwise than its weights."""
    absent = [h for h in TRAINING_HEADS if not hasattr(model, h[:-1])]
    audit.move('unexpected', 'dropped', absent)
    if use == 'test':
        audit.move('missing', 'expected_missing', TRAINING_HEADS)
        return
    own = model.state_dict()
    last_layers = [
        name
        for name in audit.mismatched
        if 'head' in name.rpartition('.')[0]
        and own[name].shape[1:] == named[name].shape[1:]
    ]
    audit.move('mismatched', 'other_classes', last_layers)


def _allow_for_part(audit: Audit, module: nn.Module) -> None:
    """Sort out what weights of other networks need not or may have."""
    # An unexpected tensor of a part that the module has is of a deeper or
    # another network. Any other may be a head, or the norm of an output.
    parts = dict(module.named_children())
    others = [
        name
        for name in audit.unexpected
        if name == PRETRAINING
        or (
            '.' in name
            and name.split('.')[0] not in parts
            and not name.startswith(BEFORE)
        )
    ]
    audit.move('unexpected', 'dropped', others)
    audit.move('missing', 'expected_missing', list(_new_names(module)))


def _refuse_faults(
    audit: Audit, what: str, remedy: str, partial: Optional[bool]
) -> None:
    if audit.loaded and (partial or not audit.faults):
        return
    if not audit.loaded:
        remedy += '; nothing in it fits'
    elif partial is not None:
        remedy += (
            '; where only a part is wanted, --partial takes the '
            f'{len(audit.loaded)} tensors that fit'
        )
    raise UsageError(f'{what}: {audit.faults}. {remedy}.')


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
            if tensor.to(own[name]).equal(own[name]):
                audit.loaded.append(name)
            elif name.endswith(COMPUTED):  # some networks take none
                audit.computed.append(name)
            else:
                audit.different.append(name)
    return audit


def _resize(module: nn.Module, name: str, tensor: Tensor) -> bool:
    """Load a tensor of another grid size, if the network resizes it."""
    if not name.endswith(RESIZABLE):
        return False
    # In the precision of the network, not that of the file.
    tensor = tensor.to(module.state_dict()[name])
    try:
        if name.endswith('relative_position_bias_table'):
            # mmpretrain's own way needs a function that SciPy has no more.
            shape = module.get_parameter(name).shape
            window = module.get_submodule(name.rpartition('.')[0]).window_size
            tensor = resize_rel_pos_bias_table_simple(tensor, window, shape)
        # mmseg's networks do it in their `init_weights`, by this method.
        elif type(module).__module__.startswith('mmseg.'):
            side = isqrt(tensor.shape[1] - 1)
            if side**2 != tensor.shape[1] - 1:
                return False
            grid = tuple(n // module.patch_size for n in module.img_size)
            tensor = module.resize_pos_embed(
                tensor, grid, (side, side), module.interpolate_mode
            )
        module.load_state_dict({name: tensor}, strict=False)
    except Exception:  # networks raise many types, as for a grid not square
        return False
    return True


class _Named(NamedTuple):
    """Tensors by the names of a module."""

    weights: Weights
    left: List[str]  # names of tensors of other parts
    changed: List[str] = []  # names of tensors that timm has resized


def _named_for(
    module: nn.Module, weights: Weights, starts: Sequence[str]
) -> _Named:
    """Name tensors as a module does.

    Of all ways to read them, the one that fits most tensors counts.
    """
    own = module.state_dict()
    is_part = PREFIX in starts
    origin = detect_origin({PREFIX * is_part + n: t for n, t in own.items()})
    choices = []
    for reading in readings(weights):
        inside, rest = behind(PREFIX, reading)
        for given, left in [
            (reading, []),
            *_converted(reading, origin),
            *((one, left + rest) for one, left in _converted(inside, origin)),
        ]:
            for named, others in (behind(start, given) for start in starts):
                choices.append(_Named(named, others + left))
    if hasattr(module, 'timm_model'):
        choices += [_named_for_timm(module, one) for one in readings(weights)]
    # mmdet reads the files of PVT's authors, whom no classifier here follows.
    library = sys.modules[type(module).__module__]
    if hasattr(library, 'pvt_convert') and 'patch_embed1.proj.bias' in weights:
        left = [n for n in weights if n.startswith(('head', 'norm.', 'cls_'))]
        choices.append(_Named(library.pvt_convert(weights), left))

    def fitting(choice: _Named) -> Tuple[int, int]:
        named = choice.weights
        shared = own.keys() & named
        return len(shared), sum(own[n].shape == named[n].shape for n in shared)

    return max(choices, key=fitting)


def behind(start: str, weights: Weights) -> Tuple[Weights, List[str]]:
    """What begins with this, by the rest of its name; names of the others."""
    named = {n: t for n, t in weights.items() if n.startswith(start)}
    others = [name for name in weights if name not in named]
    return {n[len(start) :]: t for n, t in named.items()}, others


def _named_for_timm(module: nn.Module, weights: Weights) -> _Named:
    """Name the tensors of timm's file, or of a run, as ``TIMMBackbone``."""
    network = module.timm_model
    heads = network.pretrained_cfg.get('classifier') or ()
    heads = (heads,) if isinstance(heads, str) else tuple(heads)
    inside, others = behind(PREFIX, weights)
    state, left = {}, others if inside else []
    for name, tensor in (inside or weights).items():
        name = _name_in_timm(name)
        if name.rpartition('.')[0] in heads:
            left.append(name)
        else:  # resized in the precision of the network
            is_real = tensor.is_floating_point()
            state[name] = tensor.float() if is_real else tensor
    shapes = {name: tensor.shape for name, tensor in state.items()}
    # timm's own changes on loading, such as to positions of another size.
    inner = timm_network(module)
    library = sys.modules[type(inner).__module__]
    if hasattr(library, 'checkpoint_filter_fn'):
        with suppress(Exception):  # not of this network
            state = library.checkpoint_filter_fn(state, inner)
    own = {_name_in_timm(name): name for name in module.state_dict()}
    parts = {name.partition('.')[0] for name in own}
    stages = getattr(network, 'feature_info', ())
    stages = [each['module'] for each in getattr(stages, 'info', stages)]
    # What is not built; more of a stage that is there is another network's.
    stages = [s for s in stages if not any(n.startswith(f'{s}.') for n in own)]
    if inner is network:  # with those that have no tensors, as Identity
        parts |= {name for name, _ in network.named_children()}
    # The class token enters at the end, in layers that make no map.
    firsts = {name.partition('.')[0] for name in state}
    joins_late = bool(firsts.intersection(CLASS_ATTENTION) - parts)
    named, changed = {}, []
    for name, tensor in state.items():
        if name in own:
            named[own[name]] = tensor
            if shapes.get(name, tensor.shape) != tensor.shape:
                changed.append(own[name])
        elif any(name.startswith(f'{stage}.') for stage in stages):
            left.append(name)  # behind the last map that is put out
        elif name == PRETRAINING or (name == 'cls_token' and joins_late):
            left.append(name)
        elif '.' not in name or name.partition('.')[0] in parts:
            named[f'timm_model.{name}'] = tensor
        else:
            left.append(name)
    return _Named(named, left, changed)


def _name_in_timm(name: str) -> str:
    """The name in a file of timm's; ``features_only`` changes it."""
    name = re.sub(r'^(backbone\.)?(timm_model\.)?(model\.)?', '', name)
    return re.sub(r'^([a-z]+)_(\d+)\.', r'\1.\2.', name)


def _converted(
    weights: Weights, wanted: Any
) -> Iterator[Tuple[Weights, List[str]]]:
    """Name tensors as our classifier does, or as a format that is wanted."""
    origin = detect_origin(weights)
    if origin is None:
        return
    ours = origin.to_ours(weights)
    lost = {*ours.unknown, *ours.derived}
    known = zip((n for n in weights if n not in lost), ours.weights)
    parts = {
        theirs.partition('.')[0]: name.split('.')[1]
        for theirs, name in known
        if name.startswith(PREFIX)
    }
    named = dict(ours.weights)
    for name in ours.unknown:  # more of a known part is another network's
        first, _, rest = name.partition('.')
        is_inside = rest and first in parts
        place = f'{PREFIX}{parts[first]}.{rest}' if is_inside else name
        named[place] = weights[name]
    if wanted in (None, ORIGINS['openmmlab']):
        yield named, []
    else:
        theirs = wanted.to_theirs(named)
        # Of the backbone, so that what the module lacks is told.
        more = [n for n in theirs.unknown if n.startswith(PREFIX)]
        given = {**theirs.weights, **{name: named[name] for name in more}}
        yield given, [n for n in theirs.unknown if n not in more]


def _new_names(module: nn.Module) -> Iterator[str]:
    """Beginnings of names that no classifier's weights can have."""
    # The norms of dense networks on the outputs of stages before the last.
    outputs = getattr(module, 'out_indices', None) or ()
    last = len(getattr(module, 'stages', None) or outputs) - 1
    yield from (f'norm{index}.' for index in outputs if index != last)
    if hasattr(module, 'range_sub_modules'):  # SSD's layers behind a VGG
        end = module.range_sub_modules[-1][1]
        yield from (f'features.{n}.' for n in range(end, len(module.features)))
    if getattr(module, 'out_type', None) == 'avg_featmap':
        yield 'ln2.'  # of averaged tokens: others' output is the class token
    for name, _ in module.named_modules():
        if name.endswith('.conv_offset'):  # of deformable convolutions
            yield f'{name}.'
