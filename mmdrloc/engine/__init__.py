"""What stands around a training: launch, checks, records, schedules."""

from mmdrloc.errors import import_errors_explained

with import_errors_explained():
    from .cpu_amp import CPUAmpOptimWrapper
    from .hooks import (
        AlternatingAugmentsHook,
        ChannelsLastHook,
        CheckpointHook,
        CompileHook,
        DRLocWeightHook,
        InterruptHook,
        PreflightHook,
        ReconstructionHook,
        ReduceLossesHook,
        ResultHook,
        TransferCheckHook,
    )
    from .schedulers import WarmupOverCosineLR

__all__ = [
    'AlternatingAugmentsHook',
    'CPUAmpOptimWrapper',
    'ChannelsLastHook',
    'CheckpointHook',
    'CompileHook',
    'DRLocWeightHook',
    'InterruptHook',
    'PreflightHook',
    'ReconstructionHook',
    'ReduceLossesHook',
    'ResultHook',
    'TransferCheckHook',
    'WarmupOverCosineLR',
]
