"""What is registered around a training: runner, hooks, schedules."""

from . import hooks, optimizers, schedulers
