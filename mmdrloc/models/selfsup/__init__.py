"""Self-supervised pre-training."""

from .light_mae import LightMAE, LightMAEDecoder, LightMAEHead, LightMAEViT

__all__ = [
    'LightMAE',
    'LightMAEDecoder',
    'LightMAEHead',
    'LightMAEViT',
]
