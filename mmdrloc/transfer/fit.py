"""Whether converted weights fit the backbone of a config, resized if need be.

Position embeddings depend on the size of the grid. The networks resize them
when they load; here that is done once, ahead, so that it is seen. (Upstream's
resizing of Swin's tables to another window needs a function that SciPy has
removed: another window is refused.)
"""

from typing import Any, Dict, List, Sequence, Tuple

from mmengine.config import Config
from torch import Tensor, nn

from mmdrloc.errors import UsageError
from mmdrloc.models.building import building_from
from mmdrloc.registry import MODELS
from .audit import Audit, audit_state_dict
from .backbone import PREFIX

RESIZABLE = ('pos_embed',)


def fit_to_config(
    checkpoint: Dict[str, Any], audit: Audit, cfg: Config
) -> Tuple[Dict[str, Any], Audit]:
    """Fit a backbone file to the network that shall load it.

    Args:
        checkpoint (Dict[str, Any]): With ``backbone.*`` tensors.
        audit (Audit): Its audit so far.
        cfg (Config): A config with ``model.backbone``. What its
            ``TransferCheckHook`` announces may be missing.

    Returns:
        Tuple[Dict[str, Any], Audit]: The checkpoint with the tensors as the
        network holds them after loading, and the audit against it.

    Raises:
        UsageError: If a tensor is missing, unexpected, or of another shape.
    """
    backbone = build_backbone(cfg)
    weights = {
        name[len(PREFIX) :]: tensor
        for name, tensor in checkpoint['state_dict'].items()
    }
    resized = _resized(backbone, weights)
    loaded = _load(backbone, weights, resized)
    fitted = audit_state_dict(
        loaded,
        {n: loaded[n] if n in resized else t for n, t in weights.items()},
        _announced(cfg),
    )
    fitted.dropped = audit.dropped
    fitted.loaded = [name for name in fitted.loaded if name not in resized]
    fitted.resized = resized
    if fitted.faults:
        raise UsageError(
            f'{checkpoint["meta"]["source"]} does not fit the '
            f'{type(backbone).__name__} of {cfg.filename}: '
            f'{fitted.describe_faults()}.'
        )
    state_dict = {f'{PREFIX}{name}': loaded[name] for name in weights}
    return dict(checkpoint, state_dict=state_dict), fitted


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
        config = dict(cfg.model.backbone, init_cfg=None)
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
    backbone: nn.Module, weights: Dict[str, Tensor], resized: Sequence[str]
) -> Dict[str, Tensor]:
    """What the backbone holds after it has taken what fits."""
    state = backbone.state_dict()
    fitting = {
        name: tensor
        for name, tensor in weights.items()
        if name in resized
        or (name in state and state[name].shape == tensor.shape)
    }
    backbone.load_state_dict(fitting, strict=False)
    return backbone.state_dict()


def _announced(cfg: Config) -> List[str]:
    """What the config's own check expects to be missing."""
    return [
        name
        for hook in cfg.get('custom_hooks') or []
        if isinstance(hook, dict)
        and hook.get('type') == 'mmdrloc.TransferCheckHook'
        for name in hook.get('expected_missing', [])
    ]
