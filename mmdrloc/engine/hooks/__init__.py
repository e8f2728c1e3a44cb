"""Hooks of a training run."""

from ..run_folder.resume_hook import ResumeHook
from ..run_folder.stop import InterruptHook
from .drloc_weight_hook import DRLocWeightHook
from .non_finite_hook import NonFiniteHook
from .preflight_hook import PreflightHook
from .progress_hook import ProgressHook
from .result_hook import ResultHook
from .selfsup_hooks import AlternatingAugmentsHook, DINOGradientsHook
