"""Hooks of a training run."""

from .alternating_augments_hook import AlternatingAugmentsHook
from .dino_gradients_hook import DINOGradientsHook
from .drloc_weight_hook import DRLocWeightHook
from .interrupt_hook import InterruptHook
from .non_finite_hook import NonFiniteHook
from .preflight_hook import PreflightHook
from .progress_hook import ProgressHook
from .result_hook import ResultHook
from .resume_hook import ResumeHook

__all__ = [
    'AlternatingAugmentsHook',
    'DINOGradientsHook',
    'DRLocWeightHook',
    'InterruptHook',
    'NonFiniteHook',
    'PreflightHook',
    'ProgressHook',
    'ResultHook',
    'ResumeHook',
]
