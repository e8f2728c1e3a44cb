"""Hooks of a training run."""

from .drloc_weight_hook import DRLocWeightHook
from .preflight_hook import PreflightHook
from .result_hook import ResultHook
from .transfer_check_hook import TransferCheckHook

__all__ = [
    'DRLocWeightHook',
    'PreflightHook',
    'ResultHook',
    'TransferCheckHook',
]
