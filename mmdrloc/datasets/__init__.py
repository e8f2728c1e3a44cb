"""Datasets that need writing before the OpenMMLab classes can read them."""

from .digits import write_digits

__all__ = ['write_digits']
