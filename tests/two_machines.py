"""Two machines, played by two network namespaces of this one."""

import os
import shutil
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
ADDRESSES = '10.213.77.1', '10.213.77.2'
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


def wait_for(path, *programs, words=''):
    """Wait for a file, and for words in it.

    As long as the programs run that are to write it.
    """
    end = time.monotonic() + PATIENCE_S
    while not (path.exists() and words in path.read_text()):
        for program in programs:
            assert program.poll() is None, said_by(program)
        assert time.monotonic() < end
        time.sleep(0.1)


def said_by(program):
    return Path(program.said).read_text()


class TwoMachines:
    """Where training programs run, and the link between them.

    Args:
        folder (Path): Where they run, and leave what they say.
        apart (bool): Whether each has a network of its own, which takes the
            right to make one; else they are one machine.
    """

    def __init__(self, folder, apart):
        self.folder = folder
        self.names = [f'mmdrloc-{os.getpid()}-{i}' for i in range(2)]
        self.apart = apart
        self.address = ADDRESSES[0] if apart else '127.0.0.1'
        self.programs = []

    def __enter__(self):
        if not self.apart:
            return self
        ends = self.ends = [f'mmd{os.getpid()}{side}' for side in 'ab']
        self.link = ends[1]
        for name in self.names:
            ip('netns', 'add', name)
            ip('-n', name, 'link', 'set', 'lo', 'up')
        ip(
            *('link', 'add', ends[0], 'netns', self.names[0], 'type', 'veth'),
            *('peer', 'name', ends[1], 'netns', self.names[1]),
        )
        for name, end, address in zip(
            self.names, ends, ADDRESSES, strict=True
        ):
            ip('-n', name, 'addr', 'add', f'{address}/24', 'dev', end)
            ip('-n', name, 'link', 'set', end, 'up')
        return self

    def __exit__(self, *_):
        for program in self.programs:
            if program.poll() is None:
                os.killpg(program.pid, signal.SIGKILL)
                program.wait()
        if self.apart:
            for name in self.names:
                ip('netns', 'del', name)

    def set_link(self, state):
        ip('-n', self.names[1], 'link', 'set', self.link, state)

    def train(self, config, processes, *flags, **env):
        """Begin a training on both, each with so many processes."""
        port = free_port()
        nodes = [
            dict(NNODES=2, NODE_RANK=i, MASTER_ADDR=self.address, PORT=port)
            for i in range(2)
        ]
        line = ('dist_train.sh', config, processes, *flags)
        return [
            self.start(*line, number=i, **node, **env)
            for i, node in enumerate(nodes)
        ]

    def start(self, script, *words, number=0, **env):
        """Begin one of the shell scripts on one of them."""
        place = self.names[number]
        before = ('ip', 'netns', 'exec', place) if self.apart else ()
        command = (*before, 'bash', TOOLS / script, *words)
        path = (Path(sys.executable).parent, os.environ['PATH'])
        if self.apart:
            env['GLOO_SOCKET_IFNAME'] = self.ends[number]
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


def ip(*words):
    subprocess.run(['ip', *words], check=True, capture_output=True)


def can_be_apart():
    """Whether this user may make networks here."""
    name = f'mmdrloc-{os.getpid()}-try'
    if not shutil.which('ip'):
        return False
    made = subprocess.run(['ip', 'netns', 'add', name], capture_output=True)
    if made.returncode == 0:
        ip('netns', 'del', name)
    return made.returncode == 0
