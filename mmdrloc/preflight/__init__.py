"""Preflight: what cannot work is found before the first iteration.

:func:`preflight` looks at a config, its data and weights;
:func:`building_explained` names what cannot be built; :func:`check_runner`
looks at the built data sets and the model, :func:`dry_run` tries a step.
"""

from .config import building_explained, check_config, preflight
from .dry_run import dry_run
from .pipelines import explain_pipelines
from .runner import check_runner, no_batches

__all__ = [
    'building_explained',
    'check_config',
    'check_runner',
    'dry_run',
    'explain_pipelines',
    'no_batches',
    'preflight',
]
