"""Networks, heads and losses, registered under the scope ``mmdrloc``.

``detectors`` and ``segmentors`` are not imported here: mmdet and mmseg need
the compiled operators of mmcv, which classification does without.
"""

# First: it sees to it that mmpretrain's models can be imported.
import mmdrloc.registry
from .backbones.botnet import BoTNet, BoTNetCIFAR
from .backbones.cvt import CvT
from .backbones.dense_transformer import DenseT2TViT, DenseViT
from .backbones.t2t_performer import PerformerT2TViT
from .backbones.timm_backbone import TIMMBackbone
from .backbones.vit import (
    ConvStem,
    DeiT,
    DRLocViT,
    SinCosViT,
    SwinWithoutPositions,
)
from .batch_augments import FoldedCutMix
from .class_losses import DRLocCrossEntropyLoss, DRLocGaussianLoss
from .classifier import DRLocClassifier
from .drloc_head import DRLocHead
from .grid_tap import GridTap
from .losses import DRLocL1Loss, DRLocPlaceboLoss, DRLocScrambledLoss
from .other_tasks import AbsoluteCellLoss, MaskedPixelsClassifier
from .selfsup.dino import DINO, DINONeck
from .selfsup.idmm import IDMM, DRLocIDMM
from .selfsup.light_mae import (
    LightMAE,
    LightMAEDecoder,
    LightMAEHead,
    LightMAEViT,
)
from .selfsup.supcon import SupCon
