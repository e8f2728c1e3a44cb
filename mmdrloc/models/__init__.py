"""Networks, heads and losses, registered under the scope ``mmdrloc``.

``detectors`` and ``segmentors`` are not imported here: mmdet and mmseg need
the compiled operators of mmcv, which classification does without.
"""

from mmdrloc.console.hush import hushed
from mmdrloc.errors import import_errors_explained

with import_errors_explained(), hushed():
    from .backbones import (
        CvT,
        DeiT,
        DenseT2TViT,
        DenseViT,
        DRLocViT,
        PerformerT2TViT,
    )
    from .batch_augments import FoldedCutMix
    from .class_losses import DRLocCrossEntropyLoss, DRLocGaussianLoss
    from .classifier import DRLocClassifier
    from .drloc_head import DRLocHead
    from .grid_tap import GridTap, expand_sources
    from .losses import DRLocL1Loss
    from .placebo_loss import DRLocPlaceboLoss, DRLocScrambledLoss
    from .selfsup import (
        DINO,
        IDMM,
        DINONeck,
        DRLocIDMM,
        LightMAE,
        LightMAEDecoder,
        LightMAEHead,
        LightMAEViT,
        SupCon,
    )

__all__ = [
    'DINO',
    'IDMM',
    'CvT',
    'DINONeck',
    'DRLocClassifier',
    'DRLocCrossEntropyLoss',
    'DRLocGaussianLoss',
    'DRLocHead',
    'DRLocIDMM',
    'DRLocL1Loss',
    'DRLocPlaceboLoss',
    'DRLocScrambledLoss',
    'DRLocViT',
    'DeiT',
    'DenseT2TViT',
    'DenseViT',
    'FoldedCutMix',
    'GridTap',
    'LightMAE',
    'LightMAEDecoder',
    'LightMAEHead',
    'LightMAEViT',
    'PerformerT2TViT',
    'SupCon',
    'expand_sources',
]
