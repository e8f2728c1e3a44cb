"""Say what is wrong with this installation."""

from mmdrloc.doctor import main

__all__ = ['main']
