"""The backbone of a config: find it, build it, fit weights to it."""

from typing import Any, Dict, Tuple

from mmengine.config import Config
from torch import nn

from mmdrloc.models.building import building_from
from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError
from .audit import Audit
from .load import PREFIX, load_part


def backbone_of(cfg: Config) -> Dict[str, Any]:
    """Find the outermost ``backbone`` in the model of a config.

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

    Raises:
        UsageError: If there is none, or it cannot be built.
    """
    with building_from(cfg):
        config = dict(backbone_of(cfg), init_cfg=None)
        config.pop('pretrained', None)
        # Types without a scope are those of the config's library.
        config.setdefault('_scope_', cfg.get('default_scope', 'mmengine'))
        return MODELS.build(config)


def fit_to_config(
    checkpoint: Dict[str, Any], audit: Audit, cfg: Config
) -> Tuple[Dict[str, Any], Audit]:
    """Fit a backbone file to the network that shall load it.

    Args:
        checkpoint (dict): With ``backbone.*`` tensors of ours.
        audit (Audit): Its audit so far.
        cfg (Config): A config whose model has a backbone.

    Returns:
        tuple[dict, Audit]: The checkpoint with the tensors as the network
        holds them after loading, and the audit against it.

    Raises:
        UsageError: If a tensor is missing, unexpected, or of another shape.
    """
    backbone = build_backbone(cfg)
    source, place = checkpoint['meta']['source'], cfg.filename
    fitted = load_part(
        backbone,
        checkpoint['state_dict'],
        source,
        f'the backbone of {place}',
        PREFIX,
    )
    fitted.dropped += audit.dropped
    own = backbone.state_dict()
    state_dict = {
        f'{PREFIX}{name}': own[name]
        for name in [*fitted.loaded, *fitted.resized]
    }
    return dict(checkpoint, state_dict=state_dict), fitted
