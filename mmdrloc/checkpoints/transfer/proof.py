"""The numeric proof of a transfer: both networks see the same."""

from dataclasses import dataclass
from typing import Dict, List, Sequence, Tuple

import torch
from mmengine.config import Config
from torch import Tensor, nn

from mmdrloc.utils.errors import UsageError
from .backbone import PREFIX
from .fit import build_backbone

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


def compare_features(
    weights: Dict[str, Tensor],
    source: Config,
    target: Config,
    sizes: Sequence[Tuple[int, int]] = SIZES,
) -> List[FeatureDifference]:
    """Compare the last maps of two configs' backbones with the same weights.

    Args:
        weights (Dict[str, Tensor]): ``backbone.*`` tensors.
        source (Config): Of the classifier.
        target (Config): Of the detector or segmentor.
        sizes (Sequence[Tuple[int, int]]): Heights and widths of the images.

    Returns:
        List[FeatureDifference]: One a size.

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
    state_dict = {name[len(PREFIX) :]: t for name, t in weights.items()}
    try:
        outcome = backbone.load_state_dict(state_dict, strict=False)
    except RuntimeError as error:
        raise UsageError(
            f'the backbone of {cfg.filename} does not take these weights: '
            f'{str(error).splitlines()[-1].strip()}'
        ) from error
    if outcome.unexpected_keys:
        raise UsageError(
            f'the backbone of {cfg.filename} has no place for '
            f'{", ".join(outcome.unexpected_keys[:5])}'
        )
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
