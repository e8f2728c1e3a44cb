"""What is registered around a training: runner, hooks, schedules."""

from mmdrloc.console.hush import hushed
from mmdrloc.errors import import_errors_explained

with import_errors_explained(), hushed():
    from . import cpu_amp, hooks, layer_decay, schedulers, sharded

__all__ = ['cpu_amp', 'hooks', 'layer_decay', 'schedulers', 'sharded']
