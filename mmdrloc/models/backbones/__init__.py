"""Backbones that mmpretrain lacks, or has in another form."""

from .cvt import CvT
from .drloc_vit import DRLocViT
from .swin import SwinTransformer
from .t2t_performer import PerformerT2TViT

__all__ = ['CvT', 'DRLocViT', 'PerformerT2TViT', 'SwinTransformer']
