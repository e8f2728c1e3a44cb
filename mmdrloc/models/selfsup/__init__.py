"""Self-supervised pre-training."""

from .dino import DINO, DINONeck
from .idmm import IDMM, DRLocIDMM
from .light_mae import LightMAE, LightMAEDecoder, LightMAEHead, LightMAEViT
from .supcon import SupCon

__all__ = [
    'DINO',
    'DINONeck',
    'DRLocIDMM',
    'IDMM',
    'LightMAE',
    'LightMAEDecoder',
    'LightMAEHead',
    'LightMAEViT',
    'SupCon',
]
