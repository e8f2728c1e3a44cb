"""Dense relative localization (DRLoc) for the OpenMMLab libraries."""

from .version import __version__

__all__ = ['__version__']
