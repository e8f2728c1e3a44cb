"""A hook of a user's own, by which tests meet a training at a moment.

The file ``moment.txt`` in the folder of the command has what is to happen.
"""

import os
import signal
import sys
import time
from pathlib import Path

from mmengine.hooks import Hook
from mmengine.registry import HOOKS

MOMENT = Path('moment.txt')


def moment() -> str:
    """What is to happen."""
    return MOMENT.read_text() if MOMENT.exists() else ''


def die() -> None:
    """Once."""
    MOMENT.unlink(missing_ok=True)
    os.kill(os.getpid(), signal.SIGKILL)


def hear(event, arguments):
    """A checkpoint is written and is not yet in its place."""
    if event == 'os.rename' and str(arguments[1]).endswith('.pth'):
        if moment() == f'killed before {Path(arguments[1]).name}':
            die()


sys.addaudithook(hear)


@HOOKS.register_module(force=True)
class Moments(Hook):
    """``slow``: from the second epoch on; ``killed after N``."""

    priority = 'LOWEST'

    def after_train_iter(self, runner, *args, **kwargs):
        if moment() == 'slow' and runner.epoch:
            time.sleep(3)  # to the end: longer than a test waits
        if moment() == f'killed after {runner.iter + 1}':
            die()
