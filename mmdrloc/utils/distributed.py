"""Rank and world size before any group exists; process groups on CPUs."""

import os
from datetime import timedelta
from typing import Any, List, Sequence

from mmdrloc.utils.errors import UsageError

# Rank and world size, by the launcher that sets them. Others set them too,
# such as the shell of a Slurm allocation, so none is read without it.
VARIABLES = dict(
    pytorch=('RANK', 'WORLD_SIZE'),
    slurm=('SLURM_PROCID', 'SLURM_NTASKS'),
    mpi=('OMPI_COMM_WORLD_RANK', 'OMPI_COMM_WORLD_SIZE'),
)
NEEDED = (*VARIABLES['pytorch'], 'LOCAL_RANK', 'MASTER_ADDR', 'MASTER_PORT')


def process_rank(launcher: str) -> int:
    """This process's rank; 0 with the launcher 'none'."""
    return _number(launcher, 0, default=0)


def process_count(launcher: str) -> int:
    """How many processes the launcher started; 1 with 'none'."""
    return _number(launcher, 1, default=1)


def launched(words: Sequence[str], processes: int) -> List[str]:
    """Words after ``python`` that start a tool in several processes."""
    if processes == 1:
        return [*words]
    # Standalone: on a free port, beside others.
    torchrun = ['-m', 'torch.distributed.run', '--standalone']
    torchrun += [f'--nproc_per_node={processes}']
    return [*torchrun, *words, '--launcher', 'pytorch']


def join_group(cfg: Any) -> None:
    """Prepare a config for several processes; join their group on CPUs.

    On GPUs MMEngine joins it. On CPUs its ``init_dist`` needs a GPU, and it
    gives device numbers to its model wrapper.
    """
    import torch
    from mmengine.device import get_device

    missing = [name for name in NEEDED if not os.environ.get(name)]
    is_on_cpus = get_device() == 'cpu'
    if missing and (is_on_cpus or cfg.launcher == 'pytorch'):
        raise UsageError(
            f'--launcher {cfg.launcher} needs {", ".join(missing)} in the '
            'environment: start with `bash tools/dist_train.sh CONFIG '
            'PROCESSES`, or with torchrun.'
        )
    if not is_on_cpus:
        return
    settings = (cfg.get('env_cfg') or {}).get('dist_cfg') or {}
    timeout = timedelta(seconds=settings.get('timeout', 1800))
    if not torch.distributed.is_initialized():  # by the call before
        torch.distributed.init_process_group('gloo', timeout=timeout)
    cfg.model_wrapper_cfg = dict(
        type='MMDistributedDataParallel',
        broadcast_buffers=False,
        find_unused_parameters=cfg.get('find_unused_parameters', False),
    ) | dict(cfg.get('model_wrapper_cfg') or {}, device_ids=None)


def _number(launcher: str, index: int, default: int) -> int:
    name = VARIABLES.get(launcher, ('', ''))[index]
    value = os.environ.get(name, '')
    return int(value) if value.isdecimal() else default
