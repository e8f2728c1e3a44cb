"""Say what is wrong with this installation."""

from mmdrloc.utils.doctor import main

__all__ = ['main']
