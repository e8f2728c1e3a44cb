"""Which of several processes this one is."""

import os


def process_rank() -> int:
    """This process's rank, before any group exists.

    Returns:
        int: As its launcher says; 0 without one.
    """
    for name in ('RANK', 'SLURM_PROCID', 'OMPI_COMM_WORLD_RANK'):
        if name in os.environ:
            return int(os.environ[name])
    return 0
