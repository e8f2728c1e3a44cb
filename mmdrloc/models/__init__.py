"""Networks, heads and losses, registered under the scope ``mmdrloc``."""

from .backbones import CvT, DRLocViT, PerformerT2TViT
from .classifier import DRLocClassifier
from .drloc_head import DRLocHead
from .grid_tap import GridTap, expand_sources
from .losses import DRLocCrossEntropyLoss, DRLocGaussianLoss, DRLocL1Loss

__all__ = [
    'CvT',
    'DRLocClassifier',
    'DRLocCrossEntropyLoss',
    'DRLocGaussianLoss',
    'DRLocHead',
    'DRLocL1Loss',
    'DRLocViT',
    'GridTap',
    'PerformerT2TViT',
    'expand_sources',
]
