"""Hooks of a training run."""

from .alternating_augments_hook import AlternatingAugmentsHook
from .computing_hooks import ChannelsLastHook, CompileHook
from .drloc_weight_hook import DRLocWeightHook
from .dry_run_hook import DryRunHook
from .preflight_hook import PreflightHook
from .reconstruction_hook import ReconstructionHook
from .reduce_losses_hook import ReduceLossesHook
from .result_hook import ResultHook
from .transfer_check_hook import TransferCheckHook

__all__ = [
    'AlternatingAugmentsHook',
    'ChannelsLastHook',
    'CompileHook',
    'DRLocWeightHook',
    'DryRunHook',
    'PreflightHook',
    'ReconstructionHook',
    'ReduceLossesHook',
    'ResultHook',
    'TransferCheckHook',
]
