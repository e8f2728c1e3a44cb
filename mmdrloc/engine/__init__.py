"""Hooks, optimizer wrappers and schedules, registered on import."""

from . import hooks, optimizers, schedulers
