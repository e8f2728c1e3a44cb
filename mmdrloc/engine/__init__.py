"""What is registered around a training: runner, hooks, schedules."""

from mmdrloc.utils.errors import import_errors_explained
from mmdrloc.utils.hush import hushed

with import_errors_explained(), hushed():
    from . import cpu_amp, hooks, layer_decay, reconstruction_loss, schedulers

__all__ = [
    'cpu_amp',
    'hooks',
    'layer_decay',
    'reconstruction_loss',
    'schedulers',
]
