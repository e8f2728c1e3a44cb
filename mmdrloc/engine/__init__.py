"""What is registered around a training: runner, hooks, schedules."""

from . import hooks, optimizers, reconstruction_loss, schedulers

__all__ = ['hooks', 'optimizers', 'reconstruction_loss', 'schedulers']
