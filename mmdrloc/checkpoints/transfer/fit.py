"""Whether converted weights fit the backbone of a config, resized if need be.

Position embeddings depend on the size of the grid. The networks resize them
when they load; here that is done once, ahead, so that it is seen. (Upstream's
resizing of Swin's tables to another window needs a function that SciPy has
removed: another window is refused.)
"""

from typing import Any, Dict, List, Sequence, Tuple

from mmengine.config import Config
from torch import Tensor, nn

from mmdrloc.models.building import building_from
from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError
from .audit import Audit, audit_state_dict
from .backbone import PREFIX, to_origin
from .origins import detect_origin
from .origins.openmmlab import ORIGIN
from .witness import without_additions

RESIZABLE = ('pos_embed',)
# Tensors of the network that only masked pre-training uses.
PRETRAINING = ('mask_token',)
OURS = ORIGIN.name


def fit_to_config(
    checkpoint: Dict[str, Any],
    audit: Audit,
    cfg: Config,
    partial: bool = False,
) -> Tuple[Dict[str, Any], Audit]:
    """Fit a backbone file to the network that shall load it.

    Args:
        checkpoint (Dict[str, Any]): With ``backbone.*`` tensors of ours.
        audit (Audit): Its audit so far.
        cfg (Config): A config whose model has a backbone.
        partial (bool): Whether a part is enough. Defaults to False.

    Returns:
        Tuple[Dict[str, Any], Audit]: The checkpoint with the tensors as the
        network holds them after loading, and the audit against it.

    Raises:
        UsageError: If a tensor is missing, unexpected, or of another shape.
    """
    backbone = build_backbone(cfg)
    named, dropped = _named_for(backbone, checkpoint['state_dict'])
    weights = {name[len(PREFIX) :]: tensor for name, tensor in named.items()}
    for name in _unneeded(backbone, weights):
        dropped.append(f'{PREFIX}{name}')
        del weights[name]
    resized = _resized(backbone, weights)
    loaded, file = _load(backbone, weights, resized)
    fitted = audit_state_dict(
        loaded,
        {n: loaded[n] if n in resized else t for n, t in weights.items()},
    )
    fitted.dropped = dropped + audit.dropped
    fitted.loaded = [name for name in fitted.loaded if name not in resized]
    fitted.resized = resized
    without_additions(backbone, weights, fitted)
    if fitted.faults and not (partial and fitted.loaded):
        raise UsageError(
            f'{checkpoint["meta"]["source"]} does not fit the '
            f'{type(backbone).__name__} of {cfg.filename}: '
            f'{fitted.describe_faults()}.{_explained(backbone, weights)}'
        )
    left = {*fitted.unexpected, *fitted.mismatched}
    state_dict = {
        f'{PREFIX}{name}': file[name] for name in weights if name not in left
    }
    return dict(checkpoint, state_dict=state_dict), fitted


def backbone_of(cfg: Config) -> Dict[str, Any]:
    """Find the backbone in a config.

    Args:
        cfg (Config): Of a classifier, a detector, a segmentor, or of what
            is around one.

    Returns:
        dict: The outermost ``backbone`` of its model.

    Raises:
        UsageError: If there is none.
    """
    nodes = [cfg.get('model')]
    while nodes:
        node = nodes.pop(0)
        if isinstance(node, dict):
            if isinstance(node.get('backbone'), dict):
                return node['backbone']
            nodes += node.values()
    raise UsageError(f'the model of {cfg.filename} has no backbone.')


def build_backbone(cfg: Config) -> nn.Module:
    """Build the backbone of a config without loading anything.

    Args:
        cfg (Config): With ``model.backbone``.

    Returns:
        nn.Module: The network, not initialised.

    Raises:
        UsageError: If there is none, or it cannot be built.
    """
    with building_from(cfg):
        config = dict(backbone_of(cfg), init_cfg=None)
        config.pop('pretrained', None)
        # Types without a scope are those of the config's library.
        config.setdefault('_scope_', cfg.get('default_scope', 'mmengine'))
        return MODELS.build(config)


def _resized(backbone: nn.Module, weights: Dict[str, Tensor]) -> List[str]:
    state = backbone.state_dict()
    return [
        name
        for name, tensor in weights.items()
        if name.endswith(RESIZABLE)
        and name in state
        and state[name].shape != tensor.shape
    ]


def _load(
    backbone: nn.Module, weights: Dict[str, Tensor], resized: List[str]
) -> Tuple[Dict[str, Tensor], Dict[str, Tensor]]:
    """What the backbone holds after it has taken what fits, and its file.

    They differ in what some networks of mmseg resize in their own reader.
    What cannot be resized is removed from ``resized``.
    """
    state = backbone.state_dict()
    fitting = {
        name: tensor
        for name, tensor in weights.items()
        if name in state and state[name].shape == tensor.shape
    }
    backbone.load_state_dict(fitting, strict=False)
    file = dict(weights)
    for name in list(resized):
        try:
            backbone.load_state_dict({name: weights[name]}, strict=False)
        # That is how mmpretrain answers if they are of no square grid.
        except AssertionError:
            resized.remove(name)
            continue
        except RuntimeError:
            if not hasattr(backbone, 'resize_pos_embed'):
                raise
            continue
        file[name] = backbone.state_dict()[name]
    return backbone.state_dict(), file


def _explained(backbone: nn.Module, weights: Dict[str, Tensor]) -> str:
    """What it is that differs, where a plain transformer shows it."""
    own = backbone.state_dict()
    said = ''
    patches = 'patch_embed.projection.weight'
    if patches in own and patches in weights:
        theirs, ours = (
            'x'.join(map(str, t.shape[2:]))
            for t in (weights[patches], own[patches])
        )
        if theirs != ours:
            said += f' Its patches have {theirs} pixels, not {ours}.'
    has_token = 'cls_token' in weights
    if has_token != ('cls_token' in own) and hasattr(backbone, 'cls_token'):
        said += (
            f' It is of a network {"with" if has_token else "without"} a '
            f'class token: set model.backbone.with_cls_token={has_token}.'
        )
    return said


def _named_for(
    backbone: nn.Module, weights: Dict[str, Tensor]
) -> Tuple[Dict[str, Tensor], List[str]]:
    """Some networks of ours have the names of another format."""
    names = [f'{PREFIX}{name}' for name in backbone.state_dict()]
    origin = detect_origin(names)
    if origin.name == OURS:
        return dict(weights), []
    named, audit = to_origin(weights, origin.name)
    return named, audit.dropped


def _unneeded(backbone: nn.Module, weights: Dict[str, Tensor]) -> List[str]:
    """What a classifier or a pre-training alone has use for.

    That is a norm of the last output, and what masked patches are.
    """
    own = backbone.state_dict()
    left = [name for name in weights if name not in own]
    layers: Dict[str, List[str]] = {}
    for name in left:
        layers.setdefault(name.rpartition('.')[0], []).append(name)
    return [
        name
        for layer, names in layers.items()
        for name in names
        if name in PRETRAINING
        or ('.' not in layer and _is_norm(layer, [weights[n] for n in names]))
    ]


def _is_norm(layer: str, tensors: Sequence[Tensor]) -> bool:
    """Whether these are a scale and a shift, and no statistics."""
    return (
        bool(layer)
        and len(tensors) == 2
        and all(t.shape == tensors[0].shape and t.dim() == 1 for t in tensors)
    )
