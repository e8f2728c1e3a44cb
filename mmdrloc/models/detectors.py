"""mmdet's detectors with the DRLoc head."""

from mmdet.models.detectors import CascadeRCNN, MaskRCNN

from mmdrloc.registry import MODELS
from .host import DenseDRLocHost


@MODELS.register_module()
class DRLocMaskRCNN(DenseDRLocHost, MaskRCNN):
    """mmdet's ``MaskRCNN`` plus ``drloc_head``."""


@MODELS.register_module()
class DRLocCascadeRCNN(DenseDRLocHost, CascadeRCNN):
    """mmdet's ``CascadeRCNN``, with or without masks, plus ``drloc_head``."""
