"""Commands one after another or side by side, with the time left."""

import os
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Dict, List, Optional

from mmdrloc.apis.work_dir import way_to_go_on
from mmdrloc.reporting.results import read_object, read_scalars
from mmdrloc.utils.console import ProgressLine, minutes
from mmdrloc.utils.errors import Interrupted, UsageError

# Each look reads the curves of all that runs.
LOOK_EVERY_S = 2.0


@dataclass(eq=False)
class Step:
    """One command.

    Args:
        title (str): Its name in the progress line.
        command (list[str]): What runs, after the Python interpreter.
        work (float): How long it takes, compared with the others, in any
            unit.
        log (Path): Where what it says is kept.
        work_dir (Path, optional): For a training, where its result.json is.
    """

    title: str
    command: List[str]
    work: float
    log: Path
    work_dir: Optional[Path] = None

    def result(self) -> dict:
        """What the training says of itself so far."""
        path = self.work_dir and self.work_dir / 'result.json'
        return read_object(path) if path and path.exists() else {}

    def is_finished(self) -> bool:
        """Whether an earlier call has done this training."""
        return self.result().get('finished', False)

    def going_on(self) -> List[str]:
        """What its command needs to go on with whatever its folder holds."""
        return way_to_go_on(self.work_dir) if self.work_dir else []

    def progress(self) -> float:
        """Part of the training that is done, 0 to 1."""
        planned = self.result().get('updates', {}).get('planned')
        if not planned:
            return 0.0
        scalars = sorted(self.work_dir.glob('*/vis_data/scalars.json'))
        entries = read_scalars(scalars[-1]) if scalars else []
        return entries[-1]['step'] / planned if entries else 0.0


class SideBySide:
    """Runs steps, several at a time, and says how far they are.

    Args:
        workers (int): Steps that run at a time.
        work (float): Of all steps that will be run, in the steps' unit.
        seconds_per_work (float, optional): What a unit of work usually
            takes, for the estimate of the time left until enough was seen.
            Defaults to None: not known.
    """

    def __init__(
        self,
        workers: int,
        work: float,
        seconds_per_work: Optional[float] = None,
    ) -> None:
        self.workers = workers
        self.env = dict(os.environ, OMP_NUM_THREADS=str(_threads(workers)))
        self.start = time.monotonic()
        self.line = ProgressLine(LOOK_EVERY_S)
        self.work = work
        self.seconds_per_work = seconds_per_work
        self.done = self.done_before = 0.0
        self.running: Dict[Step, subprocess.Popen] = {}

    def run(self, steps: List[Step]) -> None:
        """Run steps that do not need each other.

        Args:
            steps (list[Step]): In the order in which they begin.

        Raises:
            UsageError: If one fails; the others are stopped.
            Interrupted: By the user or a batch system; all are stopped.
        """
        waiting = list(steps)
        try:
            while waiting or self.running:
                while waiting and len(self.running) < self.workers:
                    self._begin(waiting.pop(0))
                time.sleep(0.5)
                for step, process in list(self.running.items()):
                    if process.poll() is not None:
                        self._end(step, process.returncode)
                self._show_progress()
        except KeyboardInterrupt as stop:
            raise Interrupted(
                getattr(stop, 'signum', signal.SIGINT),
                'interrupted; the same command goes on where it stopped',
            ) from None
        finally:
            self.line.close()
            for process in self.running.values():
                process.terminate()
            for process in self.running.values():
                process.wait()  # it saves what it has

    def _begin(self, step: Step) -> None:
        python = os.path.relpath(sys.executable)
        if step.is_finished():
            done = shlex.join([python, *step.command])
            print(f'done before: {done}', flush=True)
            self.work -= step.work
            return
        command = [*step.command, *step.going_on()]
        print(f'$ {shlex.join([python, *command])}', flush=True)
        if '--resume' in command:
            self.done_before += step.work * step.progress()
        step.log.parent.mkdir(parents=True, exist_ok=True)
        with open(step.log, 'w') as log:
            self.running[step] = subprocess.Popen(
                [sys.executable, *command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=self.env,
            )

    def _end(self, step: Step, returncode: int) -> None:
        del self.running[step]
        if returncode:
            lines = step.log.read_text().splitlines()
            print('\n'.join(lines[-15:]), file=sys.stderr)
            raise UsageError(
                f'{step.title} failed: all it said is in '
                f'{step.log}; mend the cause and run again, '
                'finished trainings are kept'
            )
        self.done += step.work

    def _show_progress(self) -> None:
        if not self.line.is_due():
            return
        parts = {step: step.progress() for step in self.running}
        done = self.done + sum(step.work * parts[step] for step in parts)
        elapsed_s = time.monotonic() - self.start
        running = ', '.join(f'{s.title} {parts[s]:.0%}' for s in parts)
        self.line.show(
            f'  {done / self.work:4.0%} done, {minutes(elapsed_s)} passed, '
            f'{self._left(done, elapsed_s)}: {running}'
        )

    def _left(self, done: float, elapsed_s: float) -> str:
        """What is left; early on the usual time is the better guess."""
        done_now = done - self.done_before
        if done_now > 0.1 * self.work:
            left_s = elapsed_s * (self.work - done) / done_now
        elif self.seconds_per_work is not None:
            usual_s = self.work * self.seconds_per_work / self.workers
            left_s = usual_s - elapsed_s
        else:
            return 'time left not known yet'
        return f'about {minutes(left_s)} left'


def _threads(workers: int) -> int:
    """Of each step: more threads than cores are ruinous.

    Who shares the cores with others has asked for fewer.
    """
    most = max(1, (os.cpu_count() or 1) // workers)
    asked = os.environ.get('OMP_NUM_THREADS', '')
    return min(most, int(asked)) if asked.isdigit() and int(asked) else most
