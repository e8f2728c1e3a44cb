"""Backbones that mmpretrain lacks, or has in another form."""

from .cvt import CvT
from .t2t_performer import PerformerT2TViT
from .vit import DeiT, DRLocViT

__all__ = ['CvT', 'DRLocViT', 'DeiT', 'PerformerT2TViT']
