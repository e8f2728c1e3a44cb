"""Networks, heads and losses, registered under the scope ``mmdrloc``."""

from .classifier import DRLocClassifier
from .drloc_head import DRLocHead
from .grid_tap import GridTap, expand_sources
from .losses import DRLocCrossEntropyLoss, DRLocGaussianLoss, DRLocL1Loss

__all__ = [
    'DRLocClassifier',
    'DRLocCrossEntropyLoss',
    'DRLocGaussianLoss',
    'DRLocHead',
    'DRLocL1Loss',
    'GridTap',
    'expand_sources',
]
