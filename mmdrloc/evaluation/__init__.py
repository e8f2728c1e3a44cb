"""Metrics, registered under the scope ``mmdrloc``."""

from .reconstruction_loss import ReconstructionLoss

__all__ = ['ReconstructionLoss']
