"""Hooks of a training run."""

from .alternating_augments_hook import AlternatingAugmentsHook
from .checkpoint_hook import CheckpointHook
from .console_hook import ConsoleHook
from .dino_gradients_hook import DINOGradientsHook
from .drloc_weight_hook import DRLocWeightHook
from .interrupt_hook import InterruptHook
from .non_finite_hook import NonFiniteHook
from .preflight_hook import DryRunHook, PreflightHook
from .reconstruction_hook import ReconstructionHook
from .result_hook import ResultHook
from .resume_hook import ResumeHook
from .weights_check_hook import WeightsCheckHook

__all__ = [
    'AlternatingAugmentsHook',
    'CheckpointHook',
    'ConsoleHook',
    'DINOGradientsHook',
    'DRLocWeightHook',
    'DryRunHook',
    'InterruptHook',
    'NonFiniteHook',
    'PreflightHook',
    'ReconstructionHook',
    'ResultHook',
    'ResumeHook',
    'WeightsCheckHook',
]
