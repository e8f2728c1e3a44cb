"""Networks, heads and losses, registered under the scope ``mmdrloc``.

``detectors`` and ``segmentors`` are not imported here: mmdet and mmseg need
the compiled operators of mmcv, which classification does without.
"""

from mmdrloc.errors import import_errors_explained

with import_errors_explained():
    from .backbones import CvT, DRLocViT, PerformerT2TViT
    from .classifier import DRLocClassifier
    from .drloc_head import DRLocHead
    from .grid_tap import GridTap, expand_sources
    from .losses import DRLocCrossEntropyLoss, DRLocGaussianLoss, DRLocL1Loss
    from .selfsup import (
        LightMAE,
        LightMAEDecoder,
        LightMAEHead,
        LightMAEViT,
    )

__all__ = [
    'CvT',
    'DRLocClassifier',
    'DRLocCrossEntropyLoss',
    'DRLocGaussianLoss',
    'DRLocHead',
    'DRLocL1Loss',
    'DRLocViT',
    'GridTap',
    'LightMAE',
    'LightMAEDecoder',
    'LightMAEHead',
    'LightMAEViT',
    'PerformerT2TViT',
    'expand_sources',
]
