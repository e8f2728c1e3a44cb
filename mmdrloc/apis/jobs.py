"""Run commands, several at a time, each with a log of its own."""

import ctypes
import os
import shlex
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Dict, List, NamedTuple, Sequence

from mmdrloc.utils.console import ProgressLine
from mmdrloc.utils.errors import Interrupted, UsageError

# Option of Linux's prctl: the signal to get when the parent has ended.
PR_SET_PDEATHSIG = 1


class Job(NamedTuple):
    """A title, what runs after the Python interpreter, and its output."""

    title: str
    words: Sequence[str]
    log: Path


def run_jobs(jobs: Sequence[Job], workers: int = 1) -> None:
    """Print and run commands, ``workers`` at a time, in their order.

    Raises:
        UsageError: If one fails; those that run are ended.
        Interrupted: By Ctrl-C, likewise.
    """
    waiting: List[Job] = list(jobs)
    running: Dict[Job, subprocess.Popen] = {}
    line = ProgressLine(2.0)
    try:
        while waiting or running:
            while waiting and len(running) < workers:
                line.close()
                job = waiting.pop(0)
                running[job] = _begin(job, workers)
            time.sleep(0.2)
            for job in [j for j in running if running[j].poll() is not None]:
                if running.pop(job).returncode:
                    raise UsageError(_failure(job))
            if line.is_due():
                done = len(jobs) - len(waiting) - len(running)
                titles = ', '.join(job.title for job in running)
                line.show(f'  {done} of {len(jobs)} done, running: {titles}')
    except KeyboardInterrupt:
        raise Interrupted(
            signal.SIGINT, 'interrupted; run the same command to resume'
        ) from None
    finally:
        line.close()
        for process in running.values():
            process.terminate()
        for process in running.values():
            process.wait()  # it saves a checkpoint


def _begin(job: Job, workers: int) -> subprocess.Popen:
    python = os.path.relpath(sys.executable)
    print(f'$ {shlex.join([python, *job.words])}', flush=True)
    job.log.parent.mkdir(parents=True, exist_ok=True)
    # More threads than cores slow all of them down.
    threads = max(1, (os.cpu_count() or 1) // workers)
    begin = None
    if sys.platform == 'linux':  # it also ends, and saves, if we are killed
        prctl = ctypes.CDLL(None).prctl
        begin = partial(prctl, PR_SET_PDEATHSIG, signal.SIGTERM)
    with open(job.log, 'w') as log:
        return subprocess.Popen(
            [sys.executable, *job.words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={'OMP_NUM_THREADS': str(threads), **os.environ},
            preexec_fn=begin,
        )


def _failure(job: Job) -> str:
    said = job.log.read_text(errors='replace').splitlines()
    print('\n'.join(said[-15:]), file=sys.stderr)
    return (
        f'{job.title} failed, see {job.log}. Mend the cause and run the same '
        'command again: finished trainings are kept.'
    )
