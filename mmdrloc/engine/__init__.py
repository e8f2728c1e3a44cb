"""What is registered around a training: runner, hooks, schedules."""

from . import cpu_amp, hooks, layer_decay, reconstruction_loss, schedulers

__all__ = [
    'cpu_amp',
    'hooks',
    'layer_decay',
    'reconstruction_loss',
    'schedulers',
]
