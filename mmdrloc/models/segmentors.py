"""mmseg's segmentors with the DRLoc head."""

from mmseg.models.segmentors import EncoderDecoder

from mmdrloc.registry import MODELS
from .host import DenseDRLocHost


@MODELS.register_module()
class DRLocEncoderDecoder(DenseDRLocHost, EncoderDecoder):
    """mmseg's ``EncoderDecoder`` (UperNet and others) plus ``drloc_head``."""
