"""The backbone of a config: build it, fit weights to it, compare features."""

from dataclasses import dataclass
from typing import Any, Dict, List, Sequence, Tuple

import torch
from mmengine.config import Config
from torch import Tensor, nn

from mmdrloc.models.building import building_from
from mmdrloc.registry import MODELS
from mmdrloc.utils.errors import UsageError
from .audit import Audit
from .load import PREFIX, load_part

# Square and not, divisible by the strides and not: windows and patches are
# padded in some of them.
SIZES = ((224, 224), (512, 512), (250, 333))


@dataclass
class FeatureDifference:
    """How far the features of two networks are apart.

    Attributes:
        image_size (Tuple[int, int]): Height and width in pixels.
        shape (Tuple[int, ...]): Of the last map, (1, C, H, W).
        greatest (float): Greatest absolute difference in it.
    """

    image_size: Tuple[int, int]
    shape: Tuple[int, ...]
    greatest: float


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
    given = checkpoint['state_dict']
    fitted = load_part(
        backbone,
        given,
        checkpoint['meta']['source'],
        f'the backbone of {cfg.filename}',
        PREFIX,
    )
    fitted.dropped += audit.dropped
    own = backbone.state_dict()
    state_dict = {
        f'{PREFIX}{name}': own[name]
        for name in [*fitted.loaded, *fitted.resized]
    }
    return dict(checkpoint, state_dict=state_dict), fitted


def compare_features(
    weights: Dict[str, Tensor],
    source: Config,
    target: Config,
    sizes: Sequence[Tuple[int, int]] = SIZES,
) -> List[FeatureDifference]:
    """Compare the last maps of two configs' backbones with the same weights.

    Args:
        weights (dict[str, Tensor]): ``backbone.*`` tensors.
        source (Config): Of the classifier.
        target (Config): Of the detector or segmentor.
        sizes (Sequence[tuple[int, int]]): Heights and widths of the images.

    Returns:
        list[FeatureDifference]: One a size.

    Raises:
        UsageError: If a network does not take the weights, or one puts out
            a map of another shape.
    """
    networks = [_loaded(weights, cfg) for cfg in (source, target)]
    generator = torch.Generator().manual_seed(0)
    return [
        _difference(networks, torch.randn(1, 3, *size, generator=generator))
        for size in sizes
    ]


def _loaded(weights: Dict[str, Tensor], cfg: Config) -> nn.Module:
    backbone = build_backbone(cfg)
    place = f'the backbone of {cfg.filename}'
    load_part(backbone, weights, 'the checkpoint', place, PREFIX)
    # Some of the libraries' networks return nothing from train().
    backbone.eval()
    return backbone


@torch.no_grad()
def _difference(
    networks: Sequence[nn.Module], image: Tensor
) -> FeatureDifference:
    first, second = (network(image)[-1] for network in networks)
    if first.shape != second.shape:
        raise UsageError(
            f'the last maps are of shapes {tuple(first.shape)} and '
            f'{tuple(second.shape)}: compare configs with the same stages'
        )
    return FeatureDifference(
        tuple(image.shape[2:]),
        tuple(first.shape),
        float((first - second).abs().max()),
    )
