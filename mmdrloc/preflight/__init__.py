"""Preflight: what cannot work is found before the first iteration."""

from .building import building_explained, preflight
from .data import explain_pipelines
from .dry_run import dry_run
from .runner import check_runner, no_batches

__all__ = [
    'building_explained',
    'check_runner',
    'dry_run',
    'explain_pipelines',
    'no_batches',
    'preflight',
]
