"""Networks, heads and losses, registered under the scope ``mmdrloc``.

``detectors`` and ``segmentors`` are not imported here: mmdet and mmseg need
the compiled operators of mmcv, which classification does without.
"""

# First: it sees to it that mmpretrain's models can be imported.
import mmdrloc.registry  # noqa: F401
from .backbones.cct import CCT, SeqPool
from .backbones.cvt import CvT
from .backbones.dense_transformer import DenseT2TViT, DenseViT
from .backbones.t2t_performer import PerformerT2TViT
from .backbones.vit import DeiT, DRLocViT
from .batch_augments import FoldedCutMix
from .class_losses import DRLocCrossEntropyLoss, DRLocGaussianLoss
from .classifier import DRLocClassifier
from .drloc_head import DRLocHead
from .grid_tap import GridTap, expand_sources
from .losses import DRLocL1Loss
from .placebo_loss import DRLocPlaceboLoss, DRLocScrambledLoss
from .selfsup.dino import DINO, DINONeck
from .selfsup.idmm import IDMM, DRLocIDMM
from .selfsup.light_mae import (
    LightMAE,
    LightMAEDecoder,
    LightMAEHead,
    LightMAEViT,
)
from .selfsup.supcon import SupCon

__all__ = [
    'CCT',
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
    'SeqPool',
    'SupCon',
    'expand_sources',
]
