"""What stands around a training: launch, checks, records, schedules."""

from .cpu_amp import CPUAmpOptimWrapper
from .hooks import (
    DRLocWeightHook,
    PreflightHook,
    ResultHook,
    TransferCheckHook,
)

__all__ = [
    'CPUAmpOptimWrapper',
    'DRLocWeightHook',
    'PreflightHook',
    'ResultHook',
    'TransferCheckHook',
]
