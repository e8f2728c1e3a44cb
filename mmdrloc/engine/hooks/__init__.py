"""Hooks of a training run."""

from .drloc_weight_hook import DRLocWeightHook
from .preflight_hook import PreflightHook
from .reconstruction_hook import ReconstructionHook
from .result_hook import ResultHook
from .transfer_check_hook import TransferCheckHook

__all__ = [
    'DRLocWeightHook',
    'PreflightHook',
    'ReconstructionHook',
    'ResultHook',
    'TransferCheckHook',
]
