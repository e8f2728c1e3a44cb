"""Two machines, played by two launchers on this one."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

from command_line import TOOLS
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
        wait_for(Path(runner.work_dir, 'go'))


def wait_for(path, *programs):
    """Wait for a file while the programs run that are to write it."""
    end = time.monotonic() + PATIENCE_S
    while not path.exists():
        for program in programs:
            assert program.poll() is None, said_by(program)
        assert time.monotonic() < end
        time.sleep(0.1)


def said_by(program):
    return Path(program.said).read_text()


class TwoMachines:
    """Where training programs run, as if on two machines.

    Args:
        folder (Path): Where they run, and leave what they say.
    """

    def __init__(self, folder):
        self.folder = folder
        self.programs = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for program in self.programs:
            if program.poll() is None:
                os.killpg(program.pid, signal.SIGKILL)
                program.wait()

    def train(self, config, processes, *flags, **env):
        """Begin a training on both, each with so many processes."""
        port = free_port()
        nodes = [
            dict(NNODES=2, NODE_RANK=i, MASTER_ADDR='127.0.0.1', PORT=port)
            for i in range(2)
        ]
        line = ('dist_train.sh', config, processes, *flags)
        return [self.start(*line, **node, **env) for node in nodes]

    def start(self, script, *words, **env):
        """Begin one of the shell scripts."""
        command = ('bash', TOOLS / script, *words)
        path = (Path(sys.executable).parent, os.environ['PATH'])
        env.update(
            PATH=':'.join(map(str, path)),
            PYTHONPATH=f'{Path(__file__).parent}:{TOOLS.parent}',
            CUDA_VISIBLE_DEVICES='',
        )
        said = self.folder / f'said_{len(self.programs)}.txt'
        with said.open('w') as file:
            program = subprocess.Popen(
                [*map(str, command)],
                cwd=self.folder,
                env=dict(os.environ, **{k: str(v) for k, v in env.items()}),
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        program.said = said
        self.programs.append(program)
        return program


def free_port():
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        return free.getsockname()[1]
