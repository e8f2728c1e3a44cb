"""What is registered around a training: runner, hooks, schedules."""

from mmdrloc.console.hush import hushed
from mmdrloc.errors import import_errors_explained

with import_errors_explained(), hushed():
    from .cpu_amp import CPUAmpOptimWrapper
    from .hooks import (
        AlternatingAugmentsHook,
        CheckpointHook,
        ConsoleHook,
        DRLocWeightHook,
        InterruptHook,
        NonFiniteHook,
        PreflightHook,
        ReconstructionHook,
        ReduceLossesHook,
        ResultHook,
        ResumeHook,
        WeightsCheckHook,
    )
    from .layer_decay import LayerDecayConstructor
    from .schedulers import WarmupOverCosineLR
    from .sharded import FSDPStrategy

__all__ = [
    'AlternatingAugmentsHook',
    'CPUAmpOptimWrapper',
    'CheckpointHook',
    'ConsoleHook',
    'DRLocWeightHook',
    'FSDPStrategy',
    'NonFiniteHook',
    'InterruptHook',
    'LayerDecayConstructor',
    'PreflightHook',
    'ReconstructionHook',
    'ReduceLossesHook',
    'ResultHook',
    'ResumeHook',
    'WarmupOverCosineLR',
    'WeightsCheckHook',
]
