"""The Runner of a config, on whatever machine."""

from itertools import count

import torch
from mmengine.config import Config
from mmengine.device import get_device
from mmengine.registry import RUNNERS
from mmengine.runner import Runner

from mmdrloc.engine.runner import DataCheckingRunner
from mmdrloc.utils.connections import (
    choose_interface,
    group_options,
    notice_lost_machines,
)
from mmdrloc.utils.distributed import check_environment, environment_of_slurm
from mmdrloc.utils.errors import UsageError
from .settings import add_hook

RUNNERS_BEFORE = count()


def build_runner(cfg: Config) -> Runner:
    """Build the runner, on the CPU with gloo where there is no GPU.

    Args:
        cfg (Config): The whole config.

    Returns:
        Runner: Ready to train or test.
    """
    if cfg.launcher == 'slurm':
        environment_of_slurm()
    if cfg.launcher in ('pytorch', 'slurm'):
        check_environment()
    if cfg.launcher != 'none':
        add_hook(cfg, 'reduce_losses', 'mmdrloc.ReduceLossesHook')
        choose_interface()
        if get_device() == 'cpu':
            _distribute_on_cpu(cfg)
    add_hook(cfg, 'resume', 'mmdrloc.ResumeHook')
    before = next(RUNNERS_BEFORE)
    if before:
        # MMEngine keeps loggers and visualizers by name for the process.
        cfg.experiment_name = f'{cfg.get("experiment_name", "run")}-{before}'
        if cfg.get('visualizer'):
            cfg.visualizer.name = cfg.experiment_name
    if 'runner_type' in cfg:
        return RUNNERS.build(cfg)
    return DataCheckingRunner.from_cfg(cfg)


def _distribute_on_cpu(cfg: Config) -> None:
    """Do what MMEngine would do with CUDA: join the group, wrap the model."""
    if cfg.launcher == 'mpi':
        raise UsageError(
            '--launcher mpi needs GPUs: on CPUs use --launcher pytorch.'
        )
    if 'SyncBN' in repr(cfg.model):
        raise UsageError(
            'several processes on CPUs cannot run SyncBN: set '
            "norm_cfg=dict(type='BN') in the config."
        )
    torch.distributed.init_process_group('gloo', **group_options(cfg))
    notice_lost_machines()
    if cfg.get('strategy', {}).get('type') == 'mmdrloc.FSDPStrategy':
        # MMEngine names a GPU, by the number of the process.
        cfg.strategy.model_wrapper.setdefault('device_id', 'cpu')
    cfg.model_wrapper_cfg = dict(
        dict(
            type='MMDistributedDataParallel',
            broadcast_buffers=False,
            find_unused_parameters=cfg.get('find_unused_parameters', False),
        ),
        **cfg.get('model_wrapper_cfg', {}),
    )
    cfg.model_wrapper_cfg.device_ids = None
