"""Two machines, played by two launchers on this one."""

import os
import socket
import time
from pathlib import Path

from command_line import TOOLS, Program
from mmengine.hooks import Hook

from mmdrloc.registry import HOOKS

PATIENCE_S = 240
WAIT_AFTER = 'TEST_WAIT_AFTER'


@HOOKS.register_module()
class WaitingHook(Hook):
    """Tells its process's number, and waits for the test after a step."""

    def after_train_iter(self, runner, *args, **kwargs):
        if str(runner.iter + 1) != os.environ.get(WAIT_AFTER):
            return
        reached = Path(runner.work_dir, f'reached_{runner.rank}')
        reached.with_suffix('.tmp').write_text(str(os.getpid()))
        reached.with_suffix('.tmp').rename(reached)
        end = time.monotonic() + PATIENCE_S
        while not Path(runner.work_dir, 'go').exists():
            assert time.monotonic() < end
            time.sleep(0.1)


class TwoMachines:
    """Where training programs run, as if on two machines."""

    def __init__(self, folder):
        self.folder = folder
        self.programs = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for program in self.programs:
            program.kill()

    def train(self, config, processes, *flags, **env):
        """Begin a training on both, each with so many processes."""
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            port = free.getsockname()[1]
        env.update(NNODES=2, MASTER_ADDR='127.0.0.1', PORT=port)
        line = ('bash', TOOLS / 'dist_train.sh', config, processes, *flags)
        started = [
            Program(self.folder, *line, NODE_RANK=rank, **env)
            for rank in range(2)
        ]
        self.programs += started
        return started
