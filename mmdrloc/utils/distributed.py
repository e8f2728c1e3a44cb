"""Rank, world size, and process groups on CPUs."""

import os
from datetime import timedelta
from typing import TYPE_CHECKING

from mmdrloc.utils.errors import UsageError

if TYPE_CHECKING:
    from mmengine.config import Config

NEEDED = ('RANK', 'WORLD_SIZE', 'LOCAL_RANK', 'MASTER_ADDR', 'MASTER_PORT')


def process_rank() -> int:
    """This process's rank, also before any group exists; 0 without one."""
    return _number('RANK', 'SLURM_PROCID', 'OMPI_COMM_WORLD_RANK', default=0)


def process_count() -> int:
    """How many processes the launcher started; 1 without one."""
    return _number(
        'WORLD_SIZE', 'SLURM_NTASKS', 'OMPI_COMM_WORLD_SIZE', default=1
    )


def join_group(cfg: 'Config') -> None:
    """Prepare a config for several processes; join their group on CPUs.

    On GPUs MMEngine joins it. On CPUs its ``init_dist`` needs a GPU, and it
    gives device numbers to its model wrapper.
    """
    import torch
    from mmengine.device import get_device

    missing = [name for name in NEEDED if not os.environ.get(name)]
    if cfg.launcher == 'pytorch' and missing:
        raise UsageError(
            f'--launcher pytorch needs {", ".join(missing)} in the '
            'environment: start with `bash tools/dist_train.sh CONFIG '
            'PROCESSES`, or with torchrun.'
        )
    if get_device() != 'cpu':
        return
    if cfg.launcher != 'pytorch' or 'SyncBN' in repr(cfg.model):
        raise UsageError(
            'several processes on CPUs need torchrun, --launcher pytorch and '
            "a model without SyncBN: set norm_cfg=dict(type='BN')."
        )
    settings = (cfg.get('env_cfg') or {}).get('dist_cfg') or {}
    timeout = timedelta(seconds=settings.get('timeout', 1800))
    torch.distributed.init_process_group('gloo', timeout=timeout)
    cfg.model_wrapper_cfg = dict(
        type='MMDistributedDataParallel',
        broadcast_buffers=False,
        find_unused_parameters=cfg.get('find_unused_parameters', False),
    ) | dict(cfg.get('model_wrapper_cfg') or {}, device_ids=None)


def _number(*names: str, default: int) -> int:
    values = (os.environ.get(name, '') for name in names)
    return next((int(v) for v in values if v.isdecimal()), default)
