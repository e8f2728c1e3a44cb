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
from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

import torch
from mmengine.config import Config

from mmdrloc.datasets.recipes import write_resolved
from mmdrloc.engine.run_folder.folder import RunFolder
from mmdrloc.engine.run_folder.record import is_longer, record_of
from mmdrloc.engine.run_folder.stop import note_signals, received, watched
from mmdrloc.utils.console import ProgressLine
from mmdrloc.utils.distributed import launched
from mmdrloc.utils.errors import Interrupted, UsageError
from mmdrloc.utils.paths import command_line, shipped

# Option of Linux's prctl: the signal to get when the parent has ended.
PR_SET_PDEATHSIG = 1
TRAIN = str(shipped('tools') / 'train.py')


class Job(NamedTuple):
    """A command of the Python interpreter, with its title and log file."""

    title: str
    words: Tuple[str, ...]
    log: Path


def training_job(
    cfg: Config,
    weights: Optional[str],
    folder: Path,
    *,
    trust: bool = False,
    processes: int = 1,
) -> Optional[Job]:
    """Write a resolved config, and make the command that trains it.

    Config and log go to ``configs`` and ``logs`` beside the folder of the
    run. None if that holds the run, finished; a UsageError if another one, or
    a shorter one that cannot go on.
    """
    remedy = 'Use another --work-dir, or remove this folder.'
    record = record_of(cfg, weights, processes=processes)
    there = RunFolder(folder, remedy=remedy)
    if there.previous(record).finished:
        if is_longer(there.record, record):
            raise UsageError(
                f'{folder} is finished after a shorter training, and its '
                'checkpoints are gone: remove this folder.'
            )
        print(f'done before: {folder}')
        return None
    config = folder.parent / 'configs' / f'{folder.name}.py'
    write_resolved(cfg, config)
    words = [TRAIN, str(config), '--work-dir', str(folder)]
    words += ['--weights', weights] if weights else []
    words += ['--trust'] if trust else []
    log = folder.parent / 'logs' / f'{folder.name}.txt'
    return Job(folder.name, (*launched(words, processes),), log)


def run_jobs(jobs: Sequence[Job], workers: int = 1) -> None:
    """Print and run commands, ``workers`` at a time, in their order.

    Where several run at a time, each has one GPU, of which they take turns.

    Raises:
        UsageError: If one fails; those that run are ended.
        Interrupted: By a signal, likewise.
    """
    waiting: List[Job] = list(jobs)
    running: Dict[Job, subprocess.Popen] = {}
    free = [*range(workers)]
    place: Dict[Job, int] = {}
    line = ProgressLine(2.0)
    with watched():
        note_signals()
        try:
            while (waiting or running) and not received():
                while waiting and len(running) < workers:
                    line.close()
                    job = waiting.pop(0)
                    place[job] = free.pop(0)
                    running[job] = _begin(job, workers, place[job])
                time.sleep(0.2)
                ended = [j for j, p in running.items() if p.poll() is not None]
                for job in ended:
                    free.append(place[job])
                    if running.pop(job).returncode and not received():
                        raise UsageError(_failure(job))
                if line.is_due():
                    done = len(jobs) - len(waiting) - len(running)
                    titles = ', '.join(job.title for job in running)
                    line.show(
                        f'  {done} of {len(jobs)} done, running: {titles}'
                    )
        finally:
            line.close()
            for process in running.values():
                process.terminate()
            for process in running.values():
                process.wait()  # it saves a checkpoint
        if received():
            name = signal.Signals(received()).name
            raise Interrupted(
                received(), f'ended by {name}; run the same command to resume.'
            )


def _begin(job: Job, workers: int, place: int) -> subprocess.Popen:
    python = os.path.relpath(sys.executable)
    said = shlex.join([python, *job.words])
    if job.words[0] == TRAIN:
        said = command_line('train', *job.words[1:])
    print(f'$ {said}', flush=True)
    job.log.parent.mkdir(parents=True, exist_ok=True)
    # More threads than cores slow all of them down. torchrun, which has
    # several processes, sets one thread for each where the variable is unset.
    threads = {}
    if job.words[0] != '-m':
        cores = len(os.sched_getaffinity(0))
        threads = {'OMP_NUM_THREADS': str(max(1, cores // workers))}
    gpus = os.environ.get('CUDA_VISIBLE_DEVICES', '').split(',')
    if gpus == ['']:
        gpus = [*map(str, range(torch.cuda.device_count()))]
    gpu = {}
    if workers > 1 and len(gpus) > 1:
        gpu = {'CUDA_VISIBLE_DEVICES': gpus[place % len(gpus)]}
    # It also ends, and saves, if we are killed.
    end_with_us = partial(
        ctypes.CDLL(None).prctl, PR_SET_PDEATHSIG, signal.SIGTERM
    )
    with open(job.log, 'w') as log:
        return subprocess.Popen(
            [sys.executable, *job.words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**threads, **os.environ, **gpu},
            preexec_fn=end_with_us,
            process_group=0,  # a terminal's Ctrl-C comes through us
        )


def _failure(job: Job) -> str:
    lines = job.log.read_text(errors='replace').splitlines()
    print('\n'.join(lines[-15:]), file=sys.stderr)
    return (
        f'{job.title} failed, see {job.log}. Fix the cause and run the same '
        'command again: finished runs are kept.'
    )
