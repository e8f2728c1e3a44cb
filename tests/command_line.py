"""Runs the commands as a user does: a process, a folder, words, a status."""

import os
import signal
import subprocess
import sys
import time
import uuid
from pathlib import Path
from typing import Any, Callable, List

ROOT = Path(__file__).parents[1]
TOOLS = ROOT / 'tools'
MARK = 'TEST_PROGRAM'


def environment(**more: Any) -> dict:
    """As on a machine without GPUs, with no rank of an outer run."""
    env = {k: v for k, v in os.environ.items() if k != 'LOCAL_RANK'}
    env.update(OMP_NUM_THREADS='1', CUDA_VISIBLE_DEVICES='')
    env['PATH'] = f'{Path(sys.executable).parent}:{env["PATH"]}'
    return dict(env, **{key: str(value) for key, value in more.items()})


def run(tool, *line, cwd, command=(sys.executable,)):
    """Run a tool to its end."""
    return subprocess.run(
        [*command, str(TOOLS / tool), *map(str, line)],
        cwd=cwd,
        env=environment(),
        text=True,
        capture_output=True,
    )


class Program:
    """A command that runs, and whatever it starts.

    Modules that lie in the folder or in ``tests`` can be imported.
    """

    def __init__(self, folder, *words, **env):
        mark = uuid.uuid4().hex
        self.said = Path(folder) / f'said_{mark}.txt'
        self._mark = f'{MARK}={mark}'.encode()
        paths = (ROOT, Path(__file__).parent, folder)
        env = {'PYTHONPATH': ':'.join(map(str, paths)), MARK: mark, **env}
        with self.said.open('w') as file:
            self.process = subprocess.Popen(
                [*map(str, words)],
                cwd=folder,
                env=environment(**env),
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def output(self) -> str:
        """What it has said."""
        return self.said.read_text()

    def is_running(self) -> bool:
        """Whether the command itself has not ended."""
        return self.process.poll() is None

    def wait(self, patience: float = 240) -> int:
        """Its status, as a shell gives it."""
        try:
            status = self.process.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill()
            raise AssertionError(f'still runs: {self.output()}') from None
        return 128 - status if status < 0 else status

    def wait_for(self, happened: Callable[[], bool], patience: float = 240):
        """Wait for something that it is to do."""
        end = time.monotonic() + patience
        while not happened():
            assert self.is_running(), self.output()
            assert time.monotonic() < end, self.output()
            time.sleep(0.05)

    def left_behind(self, patience: float = 0) -> List[int]:
        """Processes that it has started, or that these have, and live.

        A loader's workers notice within 5 s that theirs was killed.
        """
        end = time.monotonic() + patience
        while (found := self._living()) and time.monotonic() < end:
            time.sleep(0.2)
        return found

    def _living(self) -> List[int]:
        found = []
        for place in Path('/proc').glob('[0-9]*/environ'):
            try:
                if self._mark in place.read_bytes().split(b'\0'):
                    found.append(int(place.parent.name))
            except OSError:  # ended, or somebody else's
                continue
        return found

    def kill(self) -> None:
        """End it and all that it has started."""
        for number in self._living():
            os.kill(number, signal.SIGKILL)
        self.process.wait()
