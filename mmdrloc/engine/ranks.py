"""Which of several processes this one is."""

import os
from typing import Sequence


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
        if name in os.environ:
            return int(os.environ[name])
    return default
