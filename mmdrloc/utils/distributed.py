"""Rank, world size, and process groups on CPUs."""

import os
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Dict, Mapping

from mmdrloc.utils.errors import UsageError

if TYPE_CHECKING:
    from mmengine.config import Config


def process_rank() -> int:
    """This process's rank, also before any group exists; 0 without one."""
    return _number('RANK', 'SLURM_PROCID', 'OMPI_COMM_WORLD_RANK', default=0)


def process_count() -> int:
    """How many processes the launcher started; 1 without one."""
    return _number(
        'WORLD_SIZE', 'SLURM_NTASKS', 'OMPI_COMM_WORLD_SIZE', default=1
    )


def join_group(cfg: 'Config') -> None:
    """Prepare a config for several processes; join the group on CPUs.

    MMEngine joins it on GPUs. On CPUs its ``init_dist`` asks for a GPU, and
    its model wrapper gets device numbers.
    """
    import torch
    from mmengine.device import get_device

    names = ('RANK', 'WORLD_SIZE', 'LOCAL_RANK', 'MASTER_ADDR', 'MASTER_PORT')
    missing = [name for name in names if not os.environ.get(name)]
    if cfg.launcher == 'pytorch' and missing:
        raise UsageError(
            f'--launcher pytorch needs {", ".join(missing)} in the '
            'environment: start with `bash tools/dist_train.sh CONFIG '
            'PROCESSES`, or with torchrun.'
        )
    if get_device() != 'cpu':
        return
    if cfg.launcher != 'pytorch':
        raise UsageError(
            f'--launcher {cfg.launcher} needs GPUs: on CPUs start with '
            'torchrun and --launcher pytorch.'
        )
    if 'SyncBN' in repr(cfg.model):
        raise UsageError(
            'several processes on CPUs cannot run SyncBN: set '
            "norm_cfg=dict(type='BN') in the config."
        )
    torch.distributed.init_process_group('gloo', **group_options(cfg))
    cfg.model_wrapper_cfg = dict(
        type='MMDistributedDataParallel',
        broadcast_buffers=False,
        find_unused_parameters=cfg.get('find_unused_parameters', False),
    ) | dict(cfg.get('model_wrapper_cfg') or {}, device_ids=None)


def group_options(cfg: Mapping[str, Any]) -> Dict[str, timedelta]:
    """The ``timeout`` of process groups, where a config says it."""
    settings = (cfg.get('env_cfg') or {}).get('dist_cfg') or {}
    seconds = settings.get('timeout')
    return {} if seconds is None else dict(timeout=timedelta(seconds=seconds))


def _number(*names: str, default: int) -> int:
    values = (os.environ.get(name, '') for name in names)
    return next((int(v) for v in values if v.isdecimal()), default)
