"""Hooks of a training run."""

from .drloc_weight_hook import DRLocWeightHook
from .interrupt_hook import InterruptHook
from .non_finite_hook import NonFiniteHook
from .preflight_hook import PreflightHook
from .progress_hook import ProgressHook
from .result_hook import ResultHook
from .resume_hook import ResumeHook
from .selfsup_hooks import AlternatingAugmentsHook, DINOGradientsHook

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
