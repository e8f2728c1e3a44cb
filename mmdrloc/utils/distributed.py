"""Which of several processes this one is."""

import os
import re
import subprocess
from typing import Sequence

from mmdrloc.utils.errors import UsageError

BROKEN = re.compile(
    r'[Cc]onnection (closed|reset|was likely closed)|[Bb]roken pipe'
    r'|remote process exited|socket.*closed|[Cc]onnection refused'
    r'|Connection timed out|Timed out waiting|No route to host|unreachable'
)


def process_rank() -> int:
    """This process's rank, before any group exists.

    Returns:
        int: As its launcher says; 0 without one.
    """
    return _first(('RANK', 'SLURM_PROCID', 'OMPI_COMM_WORLD_RANK'), 0)


def process_count() -> int:
    """How many processes the launcher started.

    Returns:
        int: 1 without one.
    """
    return _first(('WORLD_SIZE', 'SLURM_NTASKS', 'OMPI_COMM_WORLD_SIZE'), 1)


def _first(names: Sequence[str], default: int) -> int:
    for name in names:
        # One that is no number is nobody's; check_environment says so.
        if os.environ.get(name, '').isdecimal():
            return int(os.environ[name])
    return default


def another_is_gone(error: BaseException) -> bool:
    """Whether an error says that another process of the group ended.

    Args:
        error (BaseException): From a step.

    Returns:
        bool: By what gloo and NCCL say when a connection breaks.
    """
    return (
        isinstance(error, RuntimeError)
        and process_count() > 1
        and BROKEN.search(str(error)) is not None
    )


def environment_of_slurm() -> None:
    """Set what torchrun would, from what ``srun`` does.

    Raises:
        UsageError: If this process was not started by ``srun``.
    """
    names = ('SLURM_PROCID', 'SLURM_NTASKS', 'SLURM_LOCALID', 'SLURM_NODELIST')
    missing = [name for name in names if not os.environ.get(name)]
    if missing:
        raise UsageError(
            f'--launcher slurm needs {", ".join(missing)} in the environment: '
            'start with `bash tools/slurm_train.sh`, or with srun.'
        )
    rank, count, local, machines = (os.environ[name] for name in names)
    os.environ.update(RANK=rank, WORLD_SIZE=count, LOCAL_RANK=local)
    os.environ.setdefault('MASTER_PORT', '29500')
    if 'MASTER_ADDR' not in os.environ:
        listed = subprocess.run(
            ['scontrol', 'show', 'hostnames', machines],
            check=True,
            capture_output=True,
            text=True,
        )
        os.environ['MASTER_ADDR'] = listed.stdout.split()[0]


def check_environment() -> None:
    """See that torchrun, or who stands for it, has set what it should.

    Without that, processes wait for each other for half an hour.

    Raises:
        UsageError: Naming the variable.
    """
    names = ('RANK', 'WORLD_SIZE', 'MASTER_ADDR', 'MASTER_PORT')
    missing = [name for name in names if not os.environ.get(name)]
    if missing:
        raise UsageError(
            f'--launcher pytorch needs {", ".join(missing)} in the '
            'environment: start with `bash tools/dist_train.sh CONFIG '
            'PROCESSES`, or with torchrun.'
        )
    rank, count = _whole('RANK'), _whole('WORLD_SIZE')
    if rank >= count:
        raise UsageError(
            f'RANK={rank} in the environment is none of {count} processes: '
            'they count from 0.'
        )
    _whole('MASTER_PORT')


def _whole(name: str) -> int:
    text = os.environ[name]
    if not text.isdecimal():
        raise UsageError(
            f'{name}={text} in the environment is no number from 0 on: '
            'correct it, or unset it.'
        )
    return int(text)
